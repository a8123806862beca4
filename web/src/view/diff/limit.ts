// What is too long to be drawn unasked: the lengths of lines in, why they are cut out. Pure.

import { counted } from "../words";

/** More lines than these are shown when somebody asks … */
const MOST_LINES = 400;
/** … and until then so many. */
export const HEAD_LINES = 80;
const LONGEST_LINE = 2000;
/** So much of each line is shown where one is too long. */
const HEAD_OF_LINE = LONGEST_LINE / 4;

/** `isLong` is one because of its lines' length, which is a burden to colour too. */
export type Limit = { words: string; isLong: boolean };

/** Why a line as long as these is not shown whole, if it is not. */
export function lineLimit(texts: readonly string[]): Limit | undefined {
  // As arguments of one call a long file would be too many.
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0);
  return longest > LONGEST_LINE
    ? { words: `a line has ${longest.toLocaleString()} characters`, isLong: true }
    : undefined;
}

/** Why lines are not shown whole, if they are not. */
export function limitOf(texts: readonly string[]): Limit | undefined {
  if (texts.length > MOST_LINES) return lineLimit(texts) ?? { words: counted(texts.length, "line"), isLong: false };
  return lineLimit(texts);
}

/** A line as it is shown where lines are cut. */
export function headOf(text: string): string {
  return text.length <= HEAD_OF_LINE ? text : `${text.slice(0, HEAD_OF_LINE)}…`;
}
