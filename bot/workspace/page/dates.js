// Times as a reader sees them: in the zone of their own device, as Slack does.

const DAY_MS = 24 * 60 * 60 * 1000;
const HALF_A_YEAR_MS = 183 * DAY_MS;

export const moment = (ts) => new Date(parseFloat(ts) * 1000);

export const clockTime = (date) => format(date, { hour: "numeric", minute: "2-digit" });

/** Without AM or PM, where there is no room. */
export const shortTime = (date) => clockTime(date).replace(/[^\d:]+$/, "");

export const dayAndTime = (date) => `${pretty(date) ?? format(date, { day: "numeric", month: "short" })} at ${clockTime(date)}`;

export const fullTime = (date) => format(date, { dateStyle: "full", timeStyle: "short" });

/** A key that is equal for two moments of one day. */
export const dayKey = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].join("-");

export function dayName(date) {
  const name = pretty(date);
  if (name) return name[0].toUpperCase() + name.slice(1);
  return format(date, { weekday: "long", day: "numeric", month: "long", ...yearIfFar(date) });
}

/** Of Slack's formats those that the bot sends: docs.slack.dev/messaging/formatting-message-text#date-formatting */
export function slackDate(unix, pattern) {
  const date = new Date(Number(unix) * 1000);
  return pattern.replace(/\{(\w+)\}/g, (whole, token) => TOKENS[token]?.(date) ?? whole);
}

const TOKENS = {
  date_short: (date) => format(date, { month: "short", day: "numeric", ...yearIfFar(date) }),
  date_pretty: (date) => pretty(date) ?? withOrdinal(date),
  time: clockTime,
};

function withOrdinal(date) {
  const parts = new Intl.DateTimeFormat("en", { month: "long", day: "numeric", ...yearIfFar(date) }).formatToParts(date);
  return parts.map((part) => (part.type === "day" ? ordinal(date.getDate()) : part.value)).join("");
}

function ordinal(day) {
  const ending = { one: "st", two: "nd", few: "rd", other: "th" };
  return day + ending[new Intl.PluralRules("en", { type: "ordinal" }).select(day)];
}

function pretty(date) {
  const startOf = (when) => new Date(when.getFullYear(), when.getMonth(), when.getDate());
  const days = Math.round((startOf(date) - startOf(new Date())) / DAY_MS);
  return { "-1": "yesterday", 0: "today", 1: "tomorrow" }[days];
}

// Slack leaves the year out of a date that is near.
const yearIfFar = (date) => (Math.abs(date - Date.now()) > HALF_A_YEAR_MS ? { year: "numeric" } : {});
const format = (date, options) => new Intl.DateTimeFormat("en", options).format(date);
