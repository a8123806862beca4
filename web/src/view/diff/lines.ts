// A diff in, the lines that are drawn out: numbered, with the words that changed. Pure.

import type { Diff, Hunk } from "../../generated";
import { type Compared, compareWords, type Mark } from "./words";

export type DiffLine =
  | {
      kind: "same" | "added" | "removed";
      text: string;
      /** Its number before and after; none on the side where it is not, or where the place is not known. */
      old: number | undefined;
      new: number | undefined;
      /** Where in it words changed. */
      marks: readonly Mark[];
      /** Which line it is of all lines of the old text, and of the new one. */
      oldAt: number | undefined;
      newAt: number | undefined;
    }
  /** Lines that are left out; how many, if that is known. */
  | { kind: "gap"; lines: number | undefined }
  /** A remark of the patch itself. */
  | { kind: "note"; text: string };

export type DiffLines = {
  lines: DiffLine[];
  /** All lines of the old side that are shown, and of the new one, for colouring. */
  oldText: string;
  newText: string;
};

export function diffLines(diff: Diff): DiffLines {
  const lines: DiffLine[] = [];
  const [oldSide, newSide]: [string[], string[]] = [[], []];
  let before: Hunk | undefined;
  for (const hunk of diff.hunks) {
    if (before) lines.push({ kind: "gap", lines: linesBetween(before, hunk) });
    lines.push(...hunkLines(hunk, oldSide, newSide));
    before = hunk;
  }
  markWords(lines);
  return { lines, oldText: oldSide.join("\n"), newText: newSide.join("\n") };
}

function linesBetween(before: Hunk, after: Hunk): number | undefined {
  if (before.newStart === 0 || after.newStart === 0) return undefined;
  const between = after.newStart - before.newStart - before.newLines;
  return between > 0 ? between : undefined;
}

function hunkLines(hunk: Hunk, oldSide: string[], newSide: string[]): DiffLine[] {
  const isPlaced = hunk.oldStart > 0 || hunk.newStart > 0;
  let [oldNumber, newNumber] = [hunk.oldStart, hunk.newStart];
  return hunk.lines.map((line): DiffLine => {
    const text = line.slice(1);
    const sign = line[0];
    if (sign === "\\") return { kind: "note", text: text.trim() };
    const kind = sign === "+" ? "added" : sign === "-" ? "removed" : "same";
    const isOld = kind !== "added";
    const isNew = kind !== "removed";
    return {
      kind,
      text,
      old: isOld && isPlaced ? oldNumber++ : undefined,
      new: isNew && isPlaced ? newNumber++ : undefined,
      marks: [],
      oldAt: isOld ? oldSide.push(text) - 1 : undefined,
      newAt: isNew ? newSide.push(text) - 1 : undefined,
    };
  });
}

/** Lines that went are compared with those that came right after them. */
function markWords(lines: DiffLine[]): void {
  for (let at = 0; at < lines.length; at++) {
    const removed = run(lines, at, "removed");
    const added = run(lines, at + removed, "added");
    if (removed > 0 && added > 0) {
      markRun(lines.slice(at, at + removed), lines.slice(at + removed, at + removed + added));
    }
    at += Math.max(removed + added - 1, 0);
  }
}

/** So many lines further on the new form of a line is looked for. */
const FARTHEST = 8;

/** Each line that went, and the one after the last match that is most like it. */
function markRun(removed: readonly DiffLine[], added: readonly DiffLine[]): void {
  let next = 0;
  for (const gone of removed) {
    let best: { at: number; compared: Compared } | undefined;
    for (let at = next; at < Math.min(added.length, next + FARTHEST); at++) {
      const come = added[at];
      if (gone.kind !== "removed" || come?.kind !== "added") continue;
      const compared = compareWords(gone.text, come.text);
      if (compared.shared > (best?.compared.shared ?? 0)) best = { at, compared };
    }
    const come = best && added[best.at];
    if (!best || gone.kind !== "removed" || come?.kind !== "added") continue;
    gone.marks = best.compared.before;
    come.marks = best.compared.after;
    next = best.at + 1;
  }
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine["kind"]): number {
  let end = from;
  while (lines[end]?.kind === kind) end++;
  return end - from;
}
