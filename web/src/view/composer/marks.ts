// Where pictures stand among the words: by marks such as `[Picture 1]`, which are words like any other. A text and its pictures in,
// places and other texts out. Pure.

import type { Inserted } from "./trigger";

/** A picture as the words know it. */
type Numbered = { number: number };

export type Typed<P extends Numbered> = { text: string; pictures: readonly P[] };

const markOf = (number: number): string => `[Picture ${number}]`;

/** The number of the next picture. */
export function nextNumber(pictures: readonly Numbered[]): number {
  return Math.max(0, ...pictures.map(({ number }) => number)) + 1;
}

/** The text with a mark at the caret. Before all words there is none: that is where a picture stands that has no mark. */
export function insertMark(text: string, caret: number, number: number): Inserted {
  const [before, after] = [text.slice(0, caret), text.slice(caret)];
  if (before.trim() === "") return { text, caret };
  const words = `${/\s$/.test(before) ? "" : " "}${markOf(number)}${/^\s/.test(after) ? "" : " "}`;
  return { text: before + words + after, caret: caret + words.length };
}

/** The text without the mark of a picture, and without the gap that was made for it. */
export function removeMark(text: string, number: number): string {
  const [before, after] = cut(text, text.indexOf(markOf(number)), markOf(number).length);
  if (after === undefined) return text;
  return /\s$/.test(before) && /^(\s|$)/.test(after) ? before.slice(0, -1) + after : before + after;
}

function cut(text: string, at: number, length: number): [string, string?] {
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + length)];
}

/** How many characters, counted as the server does, stand before a picture; none if it has no mark. */
export function placeOf(text: string, number: number): number | undefined {
  const at = text.indexOf(markOf(number));
  return at < 0 ? undefined : [...text.slice(0, at + markOf(number).length)].length;
}

/** The numbers of pictures of which only the places are known: those of the marks there, and for the others what is left. */
export function numbersOf(text: string, places: readonly (number | undefined)[]): number[] {
  const letters = [...text];
  const marked = places.map((place) => {
    const mark = /\[Picture (\d{1,6})\]$/.exec(letters.slice(0, place ?? 0).join(""));
    return mark ? Number(mark[1]) : undefined;
  });
  const taken = new Set<number>();
  const first = marked.map((number) => {
    if (number === undefined || taken.has(number)) return undefined;
    taken.add(number);
    return number;
  });
  let free = 1;
  return first.map((number) => {
    if (number !== undefined) return number;
    while (taken.has(free)) free += 1;
    taken.add(free);
    return free;
  });
}

/** One behind the other; the pictures of the second one are counted on, and so are their marks. */
export function joined<P extends Numbered>(first: Typed<P>, second: Typed<P>): Typed<P> {
  const by = Math.max(0, ...first.pictures.map(({ number }) => number));
  const own = new Set(second.pictures.map(({ number }) => number));
  const text = second.text.replace(/\[Picture (\d{1,6})\]/g, (mark, digits: string) =>
    own.has(Number(digits)) ? markOf(Number(digits) + by) : mark,
  );
  return {
    text: [first.text, text].filter((part) => part !== "").join("\n\n"),
    pictures: [
      ...first.pictures,
      ...(by === 0 ? second.pictures : second.pictures.map((one) => ({ ...one, number: one.number + by }))),
    ],
  };
}
