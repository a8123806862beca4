// What an agent can do, as lists of names and words: its catalog in, groups of entries out, those that fit to what is looked for.
// Pure.

import type { Catalog, Status } from "../../generated";
import { allCommands } from "../composer/commands";
import { humanName, humanWords } from "../item/toolWords";
import { finder, modelName } from "../words";
import { toolMeaning } from "./toolMeaning";

export type Entry = {
  /** As it is written. */
  name: string;
  isCode: boolean;
  /** What follows it. */
  hint?: string;
  words: string;
  tags: readonly string[];
  /** The command that is put where one writes, if somebody chooses it. */
  command?: string;
};

export type Group = { title: string; entries: readonly Entry[]; empty: string };

const code = (name: string, words = "", tags: readonly string[] = []): Entry => ({ name, isCode: true, words, tags });

export function helpGroups(catalog: Catalog): Group[] {
  return [
    {
      title: "Commands",
      empty: "The agent has named none yet.",
      entries: allCommands(catalog)
        .filter(({ name }) => !name.startsWith("_"))
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ name, argumentHint, aliases, description, isOurs, needsTerminal }) => ({
          ...code(`/${name}`, description, [
            ...aliases.map((alias) => `/${alias}`),
            ...(isOurs ? ["this page"] : []),
            ...(needsTerminal ? ["needs a terminal"] : []),
            ...(catalog.skills.includes(name) ? ["skill"] : []),
          ]),
          ...(argumentHint === "" ? {} : { hint: argumentHint }),
          command: name,
        })),
    },
    {
      title: "Tools",
      empty: "The agent names them when its first turn begins.",
      entries: catalog.tools.map(toolEntry),
    },
    {
      title: "Skills",
      empty: "None.",
      entries: catalog.skills.map((name) => ({
        ...code(name, catalog.commands.find((command) => command.name === name)?.description),
        command: name,
      })),
    },
    {
      title: "Agents",
      empty: "None.",
      entries: catalog.agents.map((name) => {
        const details = catalog.agentKinds.find((one) => one.name === name);
        const model = details?.model === undefined || details.model === "inherit" ? [] : [modelName(details.model)];
        return code(name, details?.description, model);
      }),
    },
    {
      title: "Plugins",
      empty: "None.",
      entries: catalog.plugins.map(({ name, path, version }) =>
        code(name, path ?? "", version === undefined ? [] : [version]),
      ),
    },
    {
      title: "Models",
      empty: "The agent has named none yet.",
      entries: catalog.models.map(({ value, name, description }) => ({
        name,
        isCode: false,
        words: description,
        tags: [value],
      })),
    },
  ];
}

/** A tool of an MCP server is told by both names; the raw one stays beside it. */
function toolEntry(name: string): Entry {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined || tool === undefined) return code(name, toolMeaning(name));
  return { name: `${humanName(server)} › ${humanWords(tool)}`, isCode: false, words: name, tags: ["MCP"] };
}

export function fittingGroups(groups: readonly Group[], query: string): Group[] {
  if (query.trim() === "") return [...groups];
  const fits = finder(query);
  const wordsOf = (group: Group, { name, words, hint = "", tags }: Entry) =>
    [group.title, name, words, hint, ...tags].join(" ");
  return groups
    .map((group) => ({ ...group, entries: group.entries.filter((entry) => fits(wordsOf(group, entry))) }))
    .filter(({ entries }) => entries.length > 0);
}

export type Fact = [name: string, value: string];

/** Versions, account, where it works. */
export function helpFacts(status: Status, catalog: Catalog, version: string | undefined): Fact[] {
  const { account } = catalog;
  const key = account?.apiKeySource ?? status.apiKeySource;
  const all: [string, string | undefined][] = [
    ["Quarterdeck", version],
    ["Claude Code", status.version],
    ["Model", status.model],
    ["Account", account?.email],
    ["Organization", account?.organization],
    ["Plan", account?.plan],
    ["API key from", key === "none" ? undefined : key],
    ["Login from", account?.tokenSource === "none" ? undefined : account?.tokenSource],
    ["Output style", status.outputStyle],
    ["Folder", status.cwd],
    ["More folders", catalog.directories.length === 0 ? undefined : catalog.directories.join(", ")],
    ["Session", status.sessionId],
  ];
  return all.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]]));
}
