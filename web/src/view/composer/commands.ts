// Slash commands: what the agent offers and what is ours in, those that fit to what was typed out, the best first. Pure.

import type { Catalog } from "../../generated";

export type Command = {
  name: string;
  description: string;
  argumentHint: string;
  /** Does this page do it, and not the agent? */
  isOurs: boolean;
  needsTerminal: boolean;
};

/** What the agent does not know, or only in a terminal: this page has panels for it. */
const OURS: readonly { name: string; description: string; notYet: string }[] = [
  {
    name: "config",
    description: "Settings of this page and of the session",
    notYet: "The settings panel is still being built. Model and permission mode can be changed in the header above.",
  },
  {
    name: "fast",
    description: "Fast mode and models",
    notYet: "The panel for fast mode is still being built. The model can be changed in the header above.",
  },
  {
    name: "help",
    description: "What can be done here",
    notYet: "The help is still being built. / lists the commands, @ the files, and Up brings earlier prompts back.",
  },
  {
    name: "keybindings-help",
    description: "All keys",
    notYet: "The list of keys is still being built. Enter sends, Shift+Enter is a new line, Escape goes one step back.",
  },
];

/** What to say when one of our commands is called whose panel is not there yet. */
export function ourCommand(name: string | undefined): string | undefined {
  return OURS.find((one) => one.name === name)?.notYet;
}

export function allCommands(catalog: Pick<Catalog, "commands" | "terminalCommands">): Command[] {
  const ours = OURS.map(({ name, description }) => ({
    name,
    description,
    argumentHint: "",
    isOurs: true,
    needsTerminal: false,
  }));
  const known = new Set(ours.map(({ name }) => name));
  const terminal = new Set(catalog.terminalCommands);
  const theirs = catalog.commands
    .filter(({ name }) => !known.has(name))
    .map((command) => ({ ...command, isOurs: false, needsTerminal: terminal.has(command.name) }));
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
      const how = distance(command.name.toLowerCase(), wanted);
      // What needs a terminal, and what programs call, comes after everything else.
      const isOdd = command.needsTerminal || command.name.startsWith("_");
      return how === undefined ? [] : [{ command, how: how + (isOdd ? 5 : 0) }];
    })
    .sort((a, b) => a.how - b.how || a.command.name.localeCompare(b.command.name))
    .map(({ command }) => command);
}
