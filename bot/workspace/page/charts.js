// data_visualization as inline SVG: bar, line, area and pie. Every chart carries its numbers as a sentence
// for screen readers and as a table for everyone.

import { el, svg } from "./dom.js";

const HEIGHT = 230;
const WIDTHS = { usual: 520, least: 200, most: 600 };          // it is drawn as wide as it is shown, so letters keep their size
const LETTER = 7.2;                                            // the width of one, about
const MARGIN = { left: 48, right: 12, top: 14, bottom: 30 };
const AXIS_LABEL_HEIGHT = 20;
const LINE_HEIGHT = 15;
const TICKS = 4;
const COLOURS = 8;                                             // .series-0 … .series-7 in blocks.css

export function chart(block) {
  const { chart: data = {}, title = "" } = block;
  const table = data.type === "pie" ? pieTable(data) : seriesTable(data);
  const kind = { bar: bars, line: lines, area: lines, pie }[data.type];
  if (!kind) return null;
  const picture = el("div", { class: "chart-picture", role: "img", "aria-label": sentence(title, data.type, table) });
  let drawn = 0;
  const draw = (width) => {
    if (width === drawn) return;
    drawn = width;
    picture.replaceChildren(kind(data, width));
  };
  draw(WIDTHS.usual);
  new ResizeObserver(([{ contentRect }]) => contentRect.width && draw(Math.round(Math.min(Math.max(contentRect.width, WIDTHS.least), WIDTHS.most)))).observe(picture);
  return el("figure", { class: `chart chart-${data.type}` },
    title && el("figcaption", {}, textOf(title)),
    picture,
    legend(data),
    el("details", {}, el("summary", {}, "Show the numbers"), htmlTable(table)));
}

// ---- the numbers, as words and as a table ---------------------------------------------------------------

const textOf = (value) => (typeof value === "string" ? value : value?.text ?? "");

function categoriesOf(data) {
  return data.axis_config?.categories ?? (data.series?.[0]?.data ?? []).map((point) => point.label);
}

function valueAt(series, category) {
  return series.data.find((point) => point.label === category)?.value ?? 0;
}

function seriesTable(data) {
  const series = data.series ?? [];
  return {
    head: [data.axis_config?.x_label ?? "", ...series.map((each) => each.name)],
    rows: categoriesOf(data).map((category) => [category, ...series.map((each) => valueAt(each, category))]),
  };
}

function pieTable(data) {
  const segments = data.segments ?? [];
  const total = segments.reduce((sum, each) => sum + each.value, 0);
  return { head: ["", "Value", "Share"], rows: segments.map((each) => [each.label, each.value, percent(each.value, total)]) };
}

function sentence(title, type, { head, rows }) {
  const severalSeries = type !== "pie" && head.length > 2;
  const told = rows.map(([label, ...values]) =>
    `${label}: ${values.map((value, index) => (severalSeries ? `${head[index + 1]} ${value}` : value)).join(", ")}`);
  return `${type} chart: ${textOf(title)}. ${told.join("; ")}`;
}

function htmlTable({ head, rows }) {
  return el("table", {},
    el("thead", {}, el("tr", {}, head.map((cell) => el("th", { scope: "col" }, cell)))),
    el("tbody", {}, rows.map(([first, ...rest]) =>
      el("tr", {}, el("th", { scope: "row" }, first), rest.map((cell) => el("td", { class: "right" }, String(cell)))))));
}

function legend(data) {
  const total = (data.segments ?? []).reduce((sum, each) => sum + each.value, 0);
  const names = data.type === "pie"
    ? (data.segments ?? []).map((each) => `${each.label} · ${each.value} (${percent(each.value, total)})`)
    : (data.series ?? []).map((each) => each.name);
  if (names.length < 2) return null;
  const items = names.map((name, index) => el("li", {}, el("span", { class: `swatch ${colour(index)}` }), name));
  return el("ul", { class: "legend", "aria-hidden": "true" }, items);
}

const percent = (value, total) => `${total ? Math.round((100 * value) / total) : 0} %`;
const colour = (index) => `series-${index % COLOURS}`;

// ---- axes --------------------------------------------------------------------------------------------

/** The drawing area and the functions from values to places in it. */
function plane(data, width) {
  const { x_label: xLabel, y_label: yLabel } = data.axis_config ?? {};
  const categories = categoriesOf(data);
  const values = (data.series ?? []).flatMap((each) => each.data.map((point) => point.value));
  const ticks = niceTicks(Math.min(0, ...values), Math.max(0, ...values), values.every(Number.isInteger));
  const left = MARGIN.left + (yLabel ? AXIS_LABEL_HEIGHT : 0);
  const right = width - MARGIN.right;
  const step = (right - left) / Math.max(1, categories.length);
  // Labels that would run into each other are broken after their first word; what still would is thinned.
  const longest = (names) => Math.max(1, ...names.map((each) => each.length)) * LETTER + 6;
  const isBroken = longest(categories) > step;
  const every = Math.ceil(longest(isBroken ? categories.flatMap((each) => each.split(" ")) : categories) / step);
  const bottom = HEIGHT - MARGIN.bottom - (xLabel ? AXIS_LABEL_HEIGHT : 0) - (isBroken ? LINE_HEIGHT : 0);
  const y = (value) => bottom - ((value - ticks[0]) / (ticks.at(-1) - ticks[0])) * (bottom - MARGIN.top);
  return { width, categories, ticks, left, right, bottom, step, every, isBroken, y, xLabel, yLabel, middle: (index) => left + step * (index + 0.5) };
}

function niceTicks(low, high, whole) {
  const rough = Math.max((high - low || 1) / TICKS, whole ? 1 : 0);   // there is no half a change
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

function axes(area) {
  const { left, right, bottom } = area;
  return [
    area.ticks.map((tick) => [
      svg("line", { class: tick === 0 ? "axis" : "grid", x1: left, x2: right, y1: area.y(tick), y2: area.y(tick) }),
      svg("text", { x: left - 8, y: area.y(tick) + 4, "text-anchor": "end" }, short(tick)),
    ]),
    area.categories.map((name, index) =>
      index % area.every === 0 && svg("text", { x: area.middle(index), y: bottom + 18, "text-anchor": "middle" }, ...label(name, area, index))),
    area.xLabel && svg("text", { class: "axis-label", x: (left + right) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, area.xLabel),
    area.yLabel && svg("text", {
      class: "axis-label", transform: `translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle",
    }, area.yLabel),
  ];
}

/** A label in one line or in two. */
function label(name, area, index) {
  const [first, ...rest] = area.isBroken ? name.split(" ") : [name];
  return [first, rest.length > 0 && svg("tspan", { x: area.middle(index), dy: LINE_HEIGHT }, ` ${rest.join(" ")}`)];
}

const short = (value) => new Intl.NumberFormat("en", { notation: "compact" }).format(value);

function canvas(area, ...children) {
  return svg("svg", { viewBox: `0 0 ${area.width} ${HEIGHT}` }, axes(area), ...children);
}

// ---- the four kinds -----------------------------------------------------------------------------------

function bars(data, across) {
  const area = plane(data, across);
  const width = Math.min(56, (area.step * 0.72) / Math.max(1, data.series.length));
  const bar = (series, nth, category, index) => {
    const value = valueAt(series, category);
    const x = area.middle(index) + (nth - data.series.length / 2) * width;
    const top = Math.min(area.y(value), area.y(0));
    const size = { width: Math.max(1, width - 2), height: Math.abs(area.y(value) - area.y(0)) };
    return svg("rect", { class: colour(nth), x: x + 1, y: top, ...size, rx: 2 }, hint(series, category, value));
  };
  return canvas(area, data.series.map((series, nth) => area.categories.map((category, index) => bar(series, nth, category, index))));
}

function lines(data, across) {
  const area = plane(data, across);
  const points = (series) => area.categories.map((category, index) => [area.middle(index), area.y(valueAt(series, category)), category]);
  const draw = (series, nth) => {
    const path = points(series).map(([x, y]) => `${x},${y}`);
    const floor = [`${area.middle(area.categories.length - 1)},${area.y(0)}`, `${area.middle(0)},${area.y(0)}`];
    return [
      data.type === "area" && svg("polygon", { class: `${colour(nth)} filled`, points: [...path, ...floor].join(" ") }),
      svg("polyline", { class: `${colour(nth)} stroke`, points: path.join(" ") }),
      points(series).map(([x, y, category]) =>
        svg("circle", { class: colour(nth), cx: x, cy: y, r: 3.5 }, hint(series, category, valueAt(series, category)))),
    ];
  };
  return canvas(area, data.series.map(draw));
}

function pie(data) {
  const total = data.segments.reduce((sum, each) => sum + each.value, 0);
  let from = 0;
  const slices = data.segments.map((segment, index) => {
    const to = from + segment.value / total;
    const slice = svg("path", { class: `${colour(index)} slice`, d: arc(from, to) }, svg("title", {}, `${segment.label}: ${segment.value}`));
    from = to;
    return slice;
  });
  return svg("svg", { viewBox: "-104 -104 208 208" }, slices);
}

function arc(from, to) {
  // A whole circle has equal ends, which SVG draws as nothing: stop just short of it.
  const end = Math.min(to, from + 0.99999);
  const at = (turn) => [100 * Math.sin(2 * Math.PI * turn), -100 * Math.cos(2 * Math.PI * turn)].map((each) => each.toFixed(3)).join(" ");
  return `M 0 0 L ${at(from)} A 100 100 0 ${end - from > 0.5 ? 1 : 0} 1 ${at(end)} Z`;
}

const hint = (series, category, value) => svg("title", {}, `${series.name}, ${category}: ${value}`);
