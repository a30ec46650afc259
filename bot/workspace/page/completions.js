// What the beginning of a command or a name may become. Knows nothing of the box it is typed in.

import { avatar } from "./message.js";

const MOST = 8;
const LONGEST_NAME = 40;

/**
 * A function from what is typed and where the caret is to {from, options, isWhole}, or null: what stands from `from` to
 * the caret becomes an option's `insert`. `isWhole`: it is a whole command or name already, so Enter sends it.
 */
export function completions(workspace) {
  return (text, caret) => {
    const before = text.slice(0, caret);
    const found = commands(workspace, before) ?? people(workspace, before);
    return found?.options.length ? found : null;
  };
}

/** "/al" and "/almanac mo": commands, with what stands behind them. */
function commands(workspace, before) {
  const { command, subcommands } = workspace;
  if (!command || !before.startsWith("/") || before.includes("\n")) return null;
  const [typed, ...rest] = before.split(" ");
  if (!command.startsWith(typed) || rest.length > 1 || (rest.length && typed !== command)) return null;
  const word = (rest[0] ?? "").toLowerCase();
  const options = subcommands.filter(({ text }) => text.startsWith(word)).map(({ text, arguments: after, description }) => ({
    insert: `${command} ${text}${after ? " " : ""}`, label: `${command} ${text}`, after, description,
  }));
  const isWhole = before === command || subcommands.some(({ text }) => text === word);
  return { from: 0, options: subcommands.length ? options : [{ insert: `${command} `, label: command }], isWhole };
}

/** "@gr" anywhere but within a word: people and the app, by any part of their names. */
function people(workspace, before) {
  const at = before.lastIndexOf("@");
  if (at < 0 || /[\w.+-]$/.test(before.slice(0, at))) return null;
  const typed = before.slice(at + 1).toLowerCase();
  if (typed.length > LONGEST_NAME || /[\n<>]|^\s|\s\s/.test(typed)) return null;
  const known = [workspace.bot, ...workspace.people].map((id) => workspace.users[id]);
  const called = ({ name, real_name: real }) => [real, ...real.split(/\s+/).slice(1), name].map((each) => each.toLowerCase());
  const options = known.filter((user) => called(user).some((each) => each.startsWith(typed))).slice(0, MOST).map((user) => ({
    insert: `@${user.real_name} `, label: user.real_name, description: user.is_bot ? "App" : user.name, picture: () => avatar(user, "small"),
  }));
  const isWhole = known.some(({ name, real_name: real }) => typed && [name, real].some((each) => each.toLowerCase() === typed));
  return { from: at, options, isWhole };
}
