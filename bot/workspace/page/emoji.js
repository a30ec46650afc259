// A small table of Slack's emoji codes; a code that is not here stays as text.

import { el } from "./dom.js";

const EMOJI = {
  "+1": "👍", "-1": "👎", thumbsup: "👍", thumbsdown: "👎", wave: "👋", clap: "👏", raised_hands: "🙌", pray: "🙏",
  muscle: "💪", eyes: "👀", point_right: "👉", point_left: "👈", point_up: "☝️", point_down: "👇", ok_hand: "👌",
  smile: "😄", slightly_smiling_face: "🙂", grinning: "😀", joy: "😂", wink: "😉", thinking_face: "🤔", sweat_smile: "😅",
  sunglasses: "😎", cry: "😢", neutral_face: "😐", robot_face: "🤖", tada: "🎉", sparkles: "✨", star: "⭐", star2: "🌟",
  fire: "🔥", zap: "⚡", boom: "💥", rocket: "🚀", ship: "🚢", package: "📦", trophy: "🏆", medal: "🏅", seedling: "🌱",
  heart: "❤️", blue_heart: "💙", green_heart: "💚", "100": "💯", bulb: "💡", bell: "🔔", no_bell: "🔕", mega: "📣",
  white_check_mark: "✅", heavy_check_mark: "✔️", ballot_box_with_check: "☑️", x: "❌", negative_squared_cross_mark: "❎",
  warning: "⚠️", no_entry: "⛔", no_entry_sign: "🚫", question: "❓", exclamation: "❗", information_source: "ℹ️",
  red_circle: "🔴", large_yellow_circle: "🟡", large_green_circle: "🟢", large_blue_circle: "🔵", white_circle: "⚪",
  black_circle: "⚫", large_orange_circle: "🟠", large_green_square: "🟩", large_red_square: "🟥",
  bug: "🐛", beetle: "🪲", wrench: "🔧", hammer: "🔨", hammer_and_wrench: "🛠️", gear: "⚙️", construction: "🚧", broom: "🧹",
  recycle: "♻️", arrows_counterclockwise: "🔄", rewind: "⏪", leftwards_arrow_with_hook: "↩️", arrow_right: "➡️",
  arrow_left: "⬅️", arrow_up: "⬆️", arrow_down: "⬇️", heavy_plus_sign: "➕", heavy_minus_sign: "➖", test_tube: "🧪",
  microscope: "🔬", mag: "🔍", lock: "🔒", unlock: "🔓", key: "🔑", shield: "🛡️", link: "🔗", paperclip: "📎", pushpin: "📌",
  memo: "📝", pencil: "📝", pencil2: "✏️", book: "📖", books: "📚", bookmark: "🔖", label: "🏷️", clipboard: "📋",
  calendar: "📆", date: "📅", spiral_calendar_pad: "🗓️", clock1: "🕐", hourglass: "⌛", hourglass_flowing_sand: "⏳",
  stopwatch: "⏱️", alarm_clock: "⏰", newspaper: "📰", scroll: "📜", page_facing_up: "📄", file_folder: "📁",
  bar_chart: "📊", chart_with_upwards_trend: "📈", chart_with_downwards_trend: "📉", computer: "💻", cloud: "☁️",
  sunny: "☀️", snowflake: "❄️", coffee: "☕", busts_in_silhouette: "👥", bust_in_silhouette: "👤", speech_balloon: "💬",
  wastebasket: "🗑️", mailbox: "📫", email: "📧", inbox_tray: "📥", outbox_tray: "📤", world_map: "🗺️", art: "🎨",
  lipstick: "💄", racehorse: "🐎", snail: "🐌", turtle: "🐢", rotating_light: "🚨", checkered_flag: "🏁",
};

/** The picture of a code such as `rocket`, with its name for screen readers; null when unknown. */
export function emoji(name, unicode) {
  const picture = unicode ? fromHex(unicode) : EMOJI[name];
  if (!picture) return null;
  return el("span", { class: "emoji", role: "img", "aria-label": name.replaceAll("_", " "), title: `:${name}:` }, picture);
}

/** Text with its `:codes:` shown, and nothing else parsed: what Slack calls plain_text. */
export function withEmoji(text) {
  return text.split(/(:[a-z0-9_+'-]+:)/).map((part) => (/^:.+:$/.test(part) && emoji(part.slice(1, -1))) || part);
}

function fromHex(unicode) {
  const points = unicode.split("-").map((point) => parseInt(point, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
}
