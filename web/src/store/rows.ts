// What a conversation is drawn as, line by line: items in order in, rows out. A finished turn is one line and its answer; of a
// turn that runs the last steps are open. Pure.

import type { Item } from "../generated";

export type Row =
  /** Something that stands by itself: a message, an answer, an error, a mark. */
  | { kind: "item"; key: string; id: string }
  /** A step of a turn: a tool, a subagent, a thought, words in between. */
  | { kind: "step"; key: string; id: string; inGroup: boolean }
  /** Steps that ran at the same time follow. */
  | { kind: "parallel"; key: string; count: number }
  /** A turn that has ended; its steps follow if it is open. */
  | { kind: "turn"; key: string; id: string; steps: number; open: boolean; hasError: boolean }
  /** The steps of a turn that runs that are not shown. */
  | { kind: "earlier"; key: string; steps: number; open: boolean };

/** Of a turn that runs so many steps are shown; when there are more than twice as many, the first are folded. */
const SHOWN = 8;

/** The key of the row that folds the first steps of the turn that runs. */
export const EARLIER = "earlier";

/** The rows. `open` has the keys of those that the reader has unfolded. */
export function rows(items: readonly Item[], open: ReadonlySet<string>): Row[] {
  const all: Row[] = [];
  let turn: Item[] = [];
  for (const item of items) {
    if (item.parent !== undefined) continue;
    if (item.body.kind === "turn") {
      all.push(...finished(turn, item, open));
      turn = [];
    } else {
      turn.push(item);
    }
  }
  all.push(...running(turn, open));
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

/** Where the answer begins: the words after the last thing that was done. */
function answerStart(turn: readonly Item[]): number {
  let start = turn.length;
  for (let at = turn.length - 1; at >= 0; at--) {
    const item = turn[at];
    if (!item || (isStep(item) && item.body.kind !== "text")) break;
    if (item.body.kind === "text") start = at;
  }
  return start;
}

function finished(turn: readonly Item[], end: Item, open: ReadonlySet<string>): Row[] {
  const answer = answerStart(turn);
  const steps = turn.filter((item, at) => isStep(item) && at < answer);
  const firstStep = turn.findIndex(isStep);
  const lead = firstStep < 0 ? turn.length : firstStep;
  const all: Row[] = turn.slice(0, lead).map(alone);
  const isOpen = open.has(end.id);
  // What went wrong is said once.
  const hasError = turn.some((item) => item.body.kind === "error");
  all.push({ kind: "turn", key: end.id, id: end.id, steps: steps.length, open: isOpen, hasError });
  const rest = turn.slice(lead);
  if (isOpen) {
    all.push(...stepRows(rest, answer - lead));
  } else {
    // What is no step never folds: errors, messages that were sent meanwhile, marks.
    all.push(...rest.filter((item, at) => !isStep(item) || at >= answer - lead).map(alone));
  }
  return all;
}

function running(turn: readonly Item[], open: ReadonlySet<string>): Row[] {
  const steps = turn.filter(isStep).length;
  if (steps <= 2 * SHOWN) return stepRows(turn, turn.length);
  const isOpen = open.has(EARLIER);
  let folded = steps - SHOWN;
  const hidden = folded;
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
  return [...before, { kind: "earlier", key: EARLIER, steps: hidden, open: isOpen }, ...after];
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
    } else if (at < answer && isStep(item)) {
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
