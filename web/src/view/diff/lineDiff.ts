// Two texts in, the parts in which they differ out, with a few lines around each: for what nobody has compared yet. Pure.

import type { Hunk } from "../../generated";

/** Texts with more lines than these, multiplied, are not compared line by line. */
const MOST = 1_000_000;
const AROUND = 3;

type Step = { sign: " " | "-" | "+"; text: string };

export function lineDiff(before: string, after: string): Hunk[] {
  const steps = stepsOf(split(before), split(after));
  const changed = steps.flatMap(({ sign }, at) => (sign === " " ? [] : [at]));
  const hunks: Hunk[] = [];
  let [oldLine, newLine, done] = [1, 1, 0];
  for (let at = 0; at < changed.length; ) {
    const from = Math.max(done, (changed[at] ?? 0) - AROUND);
    // What is nearer to the next change than the lines around both belongs to both.
    while (at + 1 < changed.length && (changed[at + 1] ?? 0) - (changed[at] ?? 0) <= 2 * AROUND) at++;
    const to = Math.min(steps.length, (changed[at] ?? 0) + AROUND + 1);
    at++;
    for (const { sign } of steps.slice(done, from)) {
      if (sign !== "+") oldLine++;
      if (sign !== "-") newLine++;
    }
    const part = steps.slice(from, to);
    const oldLines = part.filter(({ sign }) => sign !== "+").length;
    const newLines = part.filter(({ sign }) => sign !== "-").length;
    hunks.push({
      oldStart: oldLine,
      oldLines,
      newStart: newLine,
      newLines,
      lines: part.map(({ sign, text }) => sign + text),
    });
    oldLine += oldLines;
    newLine += newLines;
    done = to;
  }
  return hunks;
}

function split(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The longest lines that both have stay; the rest goes or comes. */
function stepsOf(before: readonly string[], after: readonly string[]): Step[] {
  let [head, tail] = [0, 0];
  const least = Math.min(before.length, after.length);
  while (head < least && before[head] === after[head]) head++;
  while (tail < least - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [gone, come] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const same = (lines: readonly string[]): Step[] => lines.map((text) => ({ sign: " ", text }));
  return [...same(before.slice(0, head)), ...middle(gone, come), ...same(tail === 0 ? [] : before.slice(-tail))];
}

function middle(gone: readonly string[], come: readonly string[]): Step[] {
  if (gone.length * come.length > MOST) {
    return [...gone.map((text): Step => ({ sign: "-", text })), ...come.map((text): Step => ({ sign: "+", text }))];
  }
  const width = come.length + 1;
  // How many lines are the same from here on, for each pair of places.
  const shared = new Uint32Array((gone.length + 1) * width);
  const at = (row: number, column: number) => shared[row * width + column] ?? 0;
  for (let row = gone.length - 1; row >= 0; row--) {
    for (let column = come.length - 1; column >= 0; column--) {
      shared[row * width + column] =
        gone[row] === come[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < gone.length || column < come.length) {
    const [old, now] = [gone[row], come[column]];
    if (old !== undefined && old === now) {
      steps.push({ sign: " ", text: old });
      row++;
      column++;
    } else if (old !== undefined && (now === undefined || at(row + 1, column) >= at(row, column + 1))) {
      steps.push({ sign: "-", text: old });
      row++;
    } else {
      steps.push({ sign: "+", text: now ?? "" });
      column++;
    }
  }
  return steps;
}
