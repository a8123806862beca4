// Where in a file a change would be: the change, the edits that it is made of and the file's text in, the change with its lines numbered
// out. None where it is not certain. Pure.

import type { Diff, Hunk } from "../../generated";

export type Edit = { old: string; new: string };

type Place = { edit: Edit; from: number; to: number };

/** The edits in the input of a call, as JSON; none if there are no such. */
export function editsIn(json: string): Edit[] | undefined {
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { edits } = (input ?? {}) as { edits?: unknown };
  const read = (Array.isArray(edits) && edits.length > 0 ? edits : [input]).map(editOf);
  return read.every((edit) => edit !== undefined) ? read : undefined;
}

function editOf(value: unknown): Edit | undefined {
  const { old_string, new_string } = (value ?? {}) as { old_string?: unknown; new_string?: unknown };
  if (typeof old_string !== "string" || typeof new_string !== "string") return undefined;
  // The agent is shown, and writes, lines without what else some files end them with.
  return { old: plain(old_string), new: plain(new_string) };
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");

export function placed(diff: Diff, edits: readonly Edit[], file: string): Diff | undefined {
  // With a line that goes as a whole its end goes, too, or not: what is further down moves by one more, or not.
  if (edits.length > 1 && edits.some((edit) => edit.new === "")) return undefined;
  const text = plain(file);
  const places = edits.map((edit) => placeOf(edit, text));
  if (!places.every((place) => place !== undefined)) return undefined;
  const inOrder = [...places].sort((a, b) => a.from - b.from);
  if (inOrder.some((place, at) => place.from < (inOrder[at - 1]?.to ?? 0))) return undefined;
  const rest = [...diff.hunks];
  const hunks: Hunk[] = [];
  for (const { edit, from } of places) {
    const line = 1 + newlines(text.slice(0, from));
    // What is changed further up moves what is here.
    const moved = places
      .filter((other) => other.from < from)
      .reduce((sum, other) => sum + newlines(other.edit.new) - newlines(other.edit.old), 0);
    const own = numbered(rest, edit, line, line + moved);
    if (own === undefined) return undefined;
    hunks.push(...own);
  }
  return rest.length > 0 ? undefined : { ...diff, hunks };
}

/** Where it is replaced, if there is one such place. */
function placeOf(edit: Edit, text: string): Place | undefined {
  const from = text.indexOf(edit.old);
  if (edit.old === "" || from < 0 || text.indexOf(edit.old, from + 1) >= 0) return undefined;
  return { edit, from, to: from + edit.old.length };
}

/** Takes the parts of an edit from the head of `rest`. Between two of them, and around all, are lines that stay. */
function numbered(rest: Hunk[], edit: Edit, oldLine: number, newLine: number): Hunk[] | undefined {
  const [before, after] = [linesOf(edit.old), linesOf(edit.new)];
  const hunks: Hunk[] = [];
  let [oldAt, newAt] = [0, 0];
  while (!isSame(before.slice(oldAt), after.slice(newAt))) {
    const hunk = rest.shift();
    if (hunk === undefined) return undefined;
    const [gone, come] = [side(hunk, "+"), side(hunk, "-")];
    while (!begins(before, oldAt, gone) || !begins(after, newAt, come)) {
      if (oldAt >= before.length || before[oldAt] !== after[newAt]) return undefined;
      oldAt++;
      newAt++;
    }
    hunks.push({ ...hunk, oldStart: oldLine + oldAt, newStart: newLine + newAt });
    oldAt += gone.length;
    newAt += come.length;
  }
  return hunks;
}

/** The lines of a part that are in the text in which those with the other's sign are not. */
const side = (hunk: Hunk, other: string): string[] =>
  hunk.lines.filter((line) => !line.startsWith(other)).map((line) => line.slice(1));

const begins = (lines: readonly string[], at: number, part: readonly string[]): boolean =>
  part.every((line, offset) => lines[at + offset] === line);

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && begins(a, 0, b);

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

const newlines = (text: string): number => text.split("\n").length - 1;
