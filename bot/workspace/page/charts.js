// data_visualization as inline SVG: bar, line, area and pie. Every chart carries its numbers as a sentence
// for screen readers and as a table for everyone.

import { el, svg } from "./dom.js";

const SIZE = { width: 520, height: 230 };
const MARGIN = { left: 48, right: 12, top: 14, bottom: 30 };
const AXIS_LABEL_HEIGHT = 20;
const TICKS = 4;
const COLOURS = 8;                                             // .series-0 … .series-7 in blocks.css

export function chart(block) {
  const { chart: data = {}, title = "" } = block;
  const table = data.type === "pie" ? pieTable(data) : seriesTable(data);
  const picture = { bar: bars, line: lines, area: lines, pie }[data.type]?.(data);
  if (!picture) return null;
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", sentence(title, data.type, table));
  return el("figure", { class: `chart chart-${data.type}` },
    title && el("figcaption", {}, textOf(title)),
    el("div", { class: "chart-scroll" }, picture),
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
function plane(data) {
  const { x_label: xLabel, y_label: yLabel } = data.axis_config ?? {};
  const categories = categoriesOf(data);
  const values = (data.series ?? []).flatMap((each) => each.data.map((point) => point.value));
  const ticks = niceTicks(Math.min(0, ...values), Math.max(0, ...values), values.every(Number.isInteger));
  const left = MARGIN.left + (yLabel ? AXIS_LABEL_HEIGHT : 0);
  const bottom = SIZE.height - MARGIN.bottom - (xLabel ? AXIS_LABEL_HEIGHT : 0);
  const step = (SIZE.width - MARGIN.right - left) / Math.max(1, categories.length);
  const y = (value) => bottom - ((value - ticks[0]) / (ticks.at(-1) - ticks[0])) * (bottom - MARGIN.top);
  return { categories, ticks, left, bottom, step, y, xLabel, yLabel, middle: (index) => left + step * (index + 0.5) };
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
  const { left, bottom } = area;
  const right = SIZE.width - MARGIN.right;
  // Labels that would run into each other are thinned; the table has them all.
  const longest = Math.max(1, ...area.categories.map((each) => each.length));
  const every = Math.ceil((longest * 7.2 + 6) / area.step);
  return [
    area.ticks.map((tick) => [
      svg("line", { class: tick === 0 ? "axis" : "grid", x1: left, x2: right, y1: area.y(tick), y2: area.y(tick) }),
      svg("text", { x: left - 8, y: area.y(tick) + 4, "text-anchor": "end" }, short(tick)),
    ]),
    area.categories.map((name, index) =>
      index % every === 0 && svg("text", { x: area.middle(index), y: bottom + 18, "text-anchor": "middle" }, name)),
    area.xLabel && svg("text", { class: "axis-label", x: (left + right) / 2, y: SIZE.height - 6, "text-anchor": "middle" }, area.xLabel),
    area.yLabel && svg("text", {
      class: "axis-label", transform: `translate(14 ${(MARGIN.top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle",
    }, area.yLabel),
  ];
}

const short = (value) => new Intl.NumberFormat("en", { notation: "compact" }).format(value);

function canvas(...children) {
  return svg("svg", { viewBox: `0 0 ${SIZE.width} ${SIZE.height}` }, ...children);
}

// ---- the four kinds -----------------------------------------------------------------------------------

function bars(data) {
  const area = plane(data);
  const width = Math.min(56, (area.step * 0.72) / Math.max(1, data.series.length));
  const bar = (series, nth, category, index) => {
    const value = valueAt(series, category);
    const x = area.middle(index) + (nth - data.series.length / 2) * width;
    const top = Math.min(area.y(value), area.y(0));
    const size = { width: Math.max(1, width - 2), height: Math.abs(area.y(value) - area.y(0)) };
    return svg("rect", { class: colour(nth), x: x + 1, y: top, ...size, rx: 2 }, hint(series, category, value));
  };
  return canvas(axes(area), data.series.map((series, nth) => area.categories.map((category, index) => bar(series, nth, category, index))));
}

function lines(data) {
  const area = plane(data);
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
  return canvas(axes(area), data.series.map(draw));
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
