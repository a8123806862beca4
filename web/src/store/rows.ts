// What a conversation is drawn as, line by line: items in order in, rows out. A finished turn is one line and its answer; of a
// turn that runs the last steps are open. Pure.

import type { Item } from "../generated";

export type Row =
  /** Something that stands by itself: a message, an answer, an error, a mark. */
  | { kind: "item"; key: string; id: string; inInterrupted?: true }
  /** A step of a turn: a tool, a subagent, a thought, words in between. */
  | { kind: "step"; key: string; id: string; inGroup: boolean; inInterrupted?: true }
  /** Steps that ran at the same time follow. */
  | { kind: "parallel"; key: string; count: number }
  /** A turn that has ended; its steps follow if it is open. */
  | { kind: "turn"; key: string; id: string; steps: number; open: boolean; hasError: boolean }
  /** The steps of a turn that runs that are not shown. */
  | { kind: "earlier"; key: string; steps: number; open: boolean };

/** Of a turn that runs so many steps are shown; when there are more than twice as many, the first are folded. */
const SHOWN = 8;

/** How many of the first steps of a turn that runs are folded, by the key of their row. */
export type Folded = ReadonlyMap<string, number>;

/** The rows. `open` has the keys of those that the reader has unfolded; no more steps than `most` are folded, where that is given. */
export function rows(items: readonly Item[], open: ReadonlySet<string>, most?: Folded): Row[] {
  return stretches(items).flatMap(({ key, turn, end }) => {
    if (end === undefined) return running(turn, key, open, most);
    const isInterrupted = end.body.kind === "turn" && end.body.outcome === "interrupted";
    return isInterrupted ? interrupted(turn, end, open) : finished(turn, end, open);
  });
}

/** One turn: what belongs to it, and how it ended, if that was told. `key` is that of the row that folds it. */
export type Stretch = { key: string; turn: Item[]; end: Item | undefined };

/** The turns, in order. One that the agent's death has cut off has no end of its own, and the next one is not a part of it. */
export function stretches(items: readonly Item[]): Stretch[] {
  const all: Stretch[] = [];
  let turn: Item[] = [];
  let last = "";
  const cut = (end: Item | undefined) => {
    all.push({ key: end?.id ?? `earlier:${last}`, turn, end });
    last = (end ?? turn.at(-1))?.id ?? last;
    turn = [];
  };
  for (const item of items) {
    if (item.parent !== undefined) continue;
    if (item.body.kind === "turn") {
      cut(item);
      continue;
    }
    const before = turn.at(-1)?.body;
    if (before?.kind === "error" && before.category === "exit") cut(undefined);
    turn.push(item);
  }
  cut(undefined);
  return all;
}

/** Is it a part of the work, and not something that stands by itself? */
function isStep(item: Item): boolean {
  switch (item.body.kind) {
    case "tool":
    case "agent":
    case "thinking":
    case "text":
    case "hook":
      return true;
    default:
      return false;
  }
}

/** What a program of the user's said: it is folded with the steps, but does nothing by itself. */
const isHook = (item: Item | undefined): boolean => item?.body.kind === "hook";

/** Where the steps begin: after the message. What is said before that stands before it. */
function stepsStart(turn: readonly Item[]): number {
  const first = turn.findIndex((item) => isStep(item) && !isHook(item));
  let start = first < 0 ? turn.length : first;
  while (isHook(turn[start - 1])) start--;
  return start;
}

/** Where the answer begins: the words after the last thing that was done. */
function answerStart(turn: readonly Item[]): number {
  let start = turn.length;
  for (let at = turn.length - 1; at >= 0; at--) {
    const item = turn[at];
    if (!item || (isStep(item) && item.body.kind !== "text" && !isHook(item))) break;
    if (item.body.kind === "text") start = at;
  }
  return start;
}

function finished(turn: readonly Item[], end: Item, open: ReadonlySet<string>): Row[] {
  const lead = stepsStart(turn);
  const rest = turn.slice(lead);
  const answer = answerStart(rest);
  const folds = (item: Item, at: number) => isStep(item) && (at < answer || isHook(item));
  const all: Row[] = turn.slice(0, lead).map(alone);
  const isOpen = open.has(end.id);
  // What went wrong is said once.
  const hasError = turn.some((item) => item.body.kind === "error");
  all.push({ kind: "turn", key: end.id, id: end.id, steps: rest.filter(folds).length, open: isOpen, hasError });
  if (isOpen) {
    all.push(...stepRows(rest, answer));
  } else {
    // What is no step never folds: errors, messages that were sent meanwhile, marks.
    all.push(...rest.filter((item, at) => !folds(item, at)).map(alone));
  }
  return all;
}

/** That it was interrupted is said once, by the line of the turn: neither by a mark nor by the words that were cut. */
function interrupted(turn: readonly Item[], end: Item, open: ReadonlySet<string>): Row[] {
  const rest = turn.filter(({ body }) => body.kind !== "user" || body.role !== "interrupt");
  return finished(rest, end, open).map((row) =>
    row.kind === "item" || row.kind === "step" ? { ...row, inInterrupted: true } : row,
  );
}

/** A turn that runs, or was cut off: its last steps. */
function running(turn: readonly Item[], key: string, open: ReadonlySet<string>, most: Folded | undefined): Row[] {
  const steps = turn.filter(isStep).length;
  const limit = most === undefined ? steps : (most.get(key) ?? 0);
  const hidden = steps <= 2 * SHOWN ? 0 : Math.min(steps - SHOWN, limit);
  if (hidden === 0) return stepRows(turn, turn.length);
  const isOpen = open.has(key);
  let folded = hidden;
  const all: Item[] = [];
  let place = -1;
  for (const item of turn) {
    if (isStep(item) && folded > 0) {
      if (place < 0) place = all.length;
      folded--;
      if (!isOpen) continue;
    }
    all.push(item);
  }
  const before = stepRows(all.slice(0, place), place);
  const after = stepRows(all.slice(place), all.length);
  return [...before, { kind: "earlier", key, steps: hidden, open: isOpen }, ...after];
}

/** Items one after the other; those before `answer` are steps where they can be. */
function stepRows(items: readonly Item[], answer: number): Row[] {
  const all: Row[] = [];
  for (let at = 0; at < items.length; at++) {
    const item = items[at];
    if (!item) break;
    const group = at < answer ? atOnce(items, at, answer) : 1;
    if (group > 1) {
      all.push({ kind: "parallel", key: `parallel:${item.id}`, count: group });
      for (const member of items.slice(at, at + group)) {
        all.push({ kind: "step", key: member.id, id: member.id, inGroup: true });
      }
      at += group - 1;
    } else if (isStep(item) && (at < answer || isHook(item))) {
      all.push({ kind: "step", key: item.id, id: item.id, inGroup: false });
    } else {
      all.push(alone(item));
    }
  }
  return all;
}

/** How many calls, from this one on, were begun before the first of them had ended. */
function atOnce(items: readonly Item[], from: number, to: number): number {
  let ends = Number.POSITIVE_INFINITY;
  let count = 0;
  for (let at = from; at < to; at++) {
    const item = items[at];
    const body = item?.body;
    if (!item || !body || (body.kind !== "tool" && body.kind !== "agent") || item.at >= ends) break;
    ends = Math.min(ends, body.endedAt ?? Number.POSITIVE_INFINITY);
    count++;
  }
  return Math.max(count, 1);
}

function alone(item: Item): Row {
  return { kind: "item", key: item.id, id: item.id };
}
