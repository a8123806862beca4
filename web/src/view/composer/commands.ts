// Slash commands: what the agent offers and what is ours in, those that fit to what was typed out, the best first. Pure.

import type { SessionSettings } from "../../api/server";
import type { Tab } from "../inspector/tabs";
import type { PanelName } from "../route";
import { commandOf } from "./trigger";

export type Command = {
  name: string;
  description: string;
  argumentHint: string;
  /** Other names of it. */
  aliases: readonly string[];
  /** Does this page do it, and not the agent? */
  isOurs: boolean;
  needsTerminal: boolean;
};

/** What one of our commands does: it opens something, or it changes a setting of the session. */
export type Opening =
  | { opens: "panel"; panel: PanelName }
  | { opens: "inspector"; tab: Tab }
  | { opens: "resume" }
  /** Folds the conversation away. */
  | { opens: "cleared" }
  | { opens: "nothing"; settings: SessionSettings };

type Ours = {
  name: string;
  description: string;
  argumentHint?: string;
  /** On every version of the CLI; the others only where the agent has no such command, or only in a terminal. */
  isAlways?: boolean;
  /** Without a word behind it on every version: the agent would only write how it is used. With one it is the agent's. */
  isAlone?: boolean;
  does: (argument: string) => Opening;
};

const panel = (name: PanelName) => (): Opening => ({ opens: "panel", panel: name });
const inspector = (tab: Tab) => (): Opening => ({ opens: "inspector", tab });
/** With a word it changes the setting, without one it shows all. */
const setting = (change: (word: string) => SessionSettings | undefined) => (word: string) => {
  const settings = word === "" ? undefined : change(word);
  return settings === undefined ? panel("session")() : ({ opens: "nothing", settings } as const);
};

const ON_OFF: Record<string, boolean> = { on: true, off: false };
const fast = (word: string) => {
  const wanted = ON_OFF[word];
  return wanted === undefined ? undefined : { fast: wanted };
};

/** What the agent does not know, or only in a terminal: this page has panels for it. The one table. */
const OURS: readonly Ours[] = [
  {
    name: "config",
    description: "Settings of the session and of this page",
    isAlways: true,
    isAlone: true,
    does: panel("session"),
  },
  {
    name: "fast",
    description: "Fast mode and models",
    argumentHint: "[on|off]",
    isAlways: true,
    does: setting(fast),
  },
  { name: "help", description: "What this agent can do", isAlways: true, does: panel("help") },
  { name: "keybindings-help", description: "All keys", isAlways: true, does: panel("keys") },
  {
    name: "model",
    description: "Choose the model",
    argumentHint: "[model]",
    isAlone: true,
    does: setting((model) => ({ model })),
  },
  {
    name: "effort",
    description: "How hard the model thinks",
    argumentHint: "[level]",
    isAlone: true,
    does: setting((effort) => ({ effort })),
  },
  { name: "output-style", description: "The output style", isAlone: true, does: panel("session") },
  { name: "permissions", description: "Permission rules in force", does: inspector("rules") },
  { name: "mcp", description: "MCP servers", isAlone: true, does: inspector("mcp") },
  { name: "tasks", description: "Tasks and background jobs", does: inspector("tasks") },
  { name: "agents", description: "The subagents that there are", isAlone: true, does: panel("help") },
  { name: "status", description: "Versions, model and account", does: panel("help") },
  { name: "theme", description: "Light or dark", does: panel("look") },
  { name: "clear", description: "Clear the view of the conversation", does: () => ({ opens: "cleared" }) },
  { name: "resume", description: "Go on with a session of the terminal", does: () => ({ opens: "resume" }) },
];

type Theirs = { name: string; description: string; argumentHint: string; aliases?: readonly string[] };
type Known = { commands: readonly Theirs[]; terminalCommands: readonly string[] };

/** Does the agent do it itself? */
const isTheirs = ({ name }: Ours, { commands, terminalCommands }: Known): boolean =>
  commands.some((command) => command.name === name || command.aliases?.includes(name)) &&
  !terminalCommands.includes(name);

/** Is it this page that does it, whatever stands behind it? The agent comes first where it can do it itself. */
const isOurs = (one: Ours, catalog: Known): boolean => one.isAlways === true || !isTheirs(one, catalog);

/** Does a text say nothing but one of the names of a command? */
export function isCalled({ name, aliases }: Pick<Command, "name" | "aliases">, text: string): boolean {
  return [name, ...aliases].some((each) => text.trimEnd() === `/${each}`);
}

/** The other names that the agent has for something. */
const aliasesOf = (name: string, catalog: Known): readonly string[] =>
  catalog.commands.find((command) => command.name === name)?.aliases ?? [];

/** What a text calls that this page does; nothing if it is for the agent. */
export function ourCommand(text: string, catalog: Known): Opening | undefined {
  const name = commandOf(text);
  if (name === undefined) return undefined;
  const argument = text.slice(text.indexOf(" ") + 1 || text.length).trim();
  const ours = OURS.find((one) => one.name === name || aliasesOf(one.name, catalog).includes(name));
  if (ours === undefined) return undefined;
  const isDoneHere = ours.isAlone && isTheirs(ours, catalog) ? argument === "" : isOurs(ours, catalog);
  return isDoneHere ? ours.does(argument) : undefined;
}

export function allCommands(catalog: Known): Command[] {
  const ours = OURS.filter((one) => isOurs(one, catalog)).map(({ name, description, argumentHint = "" }) => ({
    name,
    description,
    argumentHint,
    aliases: aliasesOf(name, catalog),
    isOurs: true,
    needsTerminal: false,
  }));
  const known = new Set(ours.map(({ name }) => name));
  const terminal = new Set(catalog.terminalCommands);
  const theirs = catalog.commands
    .filter(({ name }) => !known.has(name))
    .map(({ aliases = [], ...command }) => ({
      ...command,
      aliases,
      isOurs: false,
      needsTerminal: terminal.has(command.name),
    }));
  return [...theirs, ...ours];
}

/** How well a name fits: the smaller, the better; none if it does not. */
function distance(name: string, query: string): number | undefined {
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  if (name.split(/[:\-_]/).some((part) => part.startsWith(query))) return 2;
  if (name.includes(query)) return 3;
  let at = 0;
  for (const letter of query) {
    at = name.indexOf(letter, at) + 1;
    if (at === 0) return undefined;
  }
  return 4;
}

export function fitting(commands: readonly Command[], query: string): Command[] {
  const wanted = query.toLowerCase();
  return commands
    .flatMap((command) => {
      const how = [command.name, ...command.aliases]
        .flatMap((name) => distance(name.toLowerCase(), wanted) ?? [])
        .sort((a, b) => a - b)[0];
      // What needs a terminal, and what programs call, comes after everything else.
      const isOdd = command.needsTerminal || command.name.startsWith("_");
      return how === undefined ? [] : [{ command, how: how + (isOdd ? 5 : 0) }];
    })
    .sort((a, b) => a.how - b.how || a.command.name.localeCompare(b.command.name))
    .map(({ command }) => command);
}
