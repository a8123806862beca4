// What waits for somebody, as cards: asks of all sessions go in, the longest wait first comes out. The same command in several
// sessions is one card; what uses the network, deletes or goes outside of the repository never joins. Pure.

import type { Ask, PermissionAsk } from "../../generated";
import { within } from "../ask/titles";
import { deletes, isPlainlyLocal, usesNetwork } from "./commands";

/** An ask and whose it is. */
export type Waiting = { session: string; cwd: string | undefined; ask: Ask };

export type InboxCard<T extends Waiting = Waiting> = {
  key: string;
  /** One, or one a session where they are the same. */
  waiting: readonly T[];
  /** The command that they have in common. */
  command: string | undefined;
};

/** `apart` has the keys of those that the reader wants to answer one by one. */
export function cardsOf<T extends Waiting>(all: readonly T[], apart: ReadonlySet<string>): InboxCard<T>[] {
  const sorted = [...all].sort((a, b) => a.ask.at - b.ask.at || a.ask.seq - b.ask.seq);
  const joined = new Map<string, T[]>();
  for (const one of sorted) {
    const command = joinable(one);
    const key = command === undefined ? "" : `same:${command}`;
    if (command !== undefined && !apart.has(key)) joined.set(key, [...(joined.get(key) ?? []), one]);
  }
  const cards: InboxCard<T>[] = [];
  const done = new Set<string>();
  for (const one of sorted) {
    const command = joinable(one);
    const key = `same:${command}`;
    const group = command === undefined ? undefined : joined.get(key);
    const isSeveral = new Set(group?.map(({ session }) => session)).size > 1;
    if (group && isSeveral) {
      if (!done.has(key)) cards.push({ key, waiting: group, command });
      done.add(key);
    } else {
      cards.push({ key: `ask:${one.session}:${one.ask.id}`, waiting: [one], command: undefined });
    }
  }
  return cards;
}

/** The command by which an ask can stand together with others. */
function joinable({ ask, cwd }: Waiting): string | undefined {
  const { body } = ask;
  if (body.kind !== "permission" || body.view.view !== "command" || body.defaultToNo) return undefined;
  const { command, background } = body.view;
  // What is not all there is not known to be the same.
  if (command.more !== undefined || background || warnings(body, cwd).length > 0) return undefined;
  return isPlainlyLocal(command.text) ? command.text.trim() : undefined;
}

/** What one should know before saying yes, in words. */
export function warnings(ask: PermissionAsk, cwd: string | undefined): string[] {
  const { view } = ask;
  const all: string[] = [];
  if (view.view === "fetch" || view.view === "webSearch") all.push("uses the network");
  if (view.view === "command" && usesNetwork(view.command.text)) all.push("uses the network");
  if (view.view === "command" && deletes(view.command.text)) all.push("deletes");
  const path = view.view === "edit" ? view.diff.path : view.view === "notebook" ? view.path : undefined;
  const isOutside = path?.startsWith("/") === true && cwd !== undefined && within(path, cwd) === path;
  if (isOutside || ask.blockedPath !== undefined) all.push("outside of its folder");
  return all;
}
