// A change that is too long for the state: the part of the record that holds it in, all of its parts out. Pure.

import type { Diff, Hunk } from "../../generated";

type Edit = { old_string?: unknown; new_string?: unknown };
type Found = { structuredPatch?: unknown; edits?: unknown } & Edit;

/** The same change with all of its parts; none if the text has them not. */
export function wholeDiff(diff: Diff, text: string): Diff | undefined {
  const hunks = findHunks(text);
  if (hunks === undefined || hunks.length === 0) return undefined;
  const { more: _, ...rest } = diff;
  return { ...rest, hunks };
}

function findHunks(text: string): Hunk[] | undefined {
  let found: Found;
  try {
    found = JSON.parse(text) as Found;
  } catch {
    return undefined;
  }
  if (typeof found !== "object" || found === null) return undefined;
  if (Array.isArray(found.structuredPatch)) return found.structuredPatch.filter(isHunk);
  // What the agent wants to do: nobody has compared it, so what goes stands before what comes.
  const edits = Array.isArray(found.edits) ? (found.edits as Edit[]) : [found];
  return edits.flatMap(proposed);
}

function isHunk(value: unknown): value is Hunk {
  const hunk = value as Partial<Hunk> | null;
  return (
    Array.isArray(hunk?.lines) &&
    hunk.lines.every((line) => typeof line === "string") &&
    [hunk.oldStart, hunk.oldLines, hunk.newStart, hunk.newLines].every((number) => typeof number === "number")
  );
}

function proposed({ old_string, new_string }: Edit): Hunk[] {
  const lines = (text: unknown, sign: string) =>
    typeof text === "string" && text !== "" ? text.split("\n").map((line) => sign + line) : [];
  const [gone, come] = [lines(old_string, "-"), lines(new_string, "+")];
  if (gone.length + come.length === 0) return [];
  return [{ oldStart: 0, oldLines: gone.length, newStart: 0, newLines: come.length, lines: [...gone, ...come] }];
}
