// Which words changed between two lines: the lines in, the places in each out. Pure.

/** From here up to there, in UTF-16 units. */
export type Mark = readonly [from: number, to: number];

type Word = { text: string; at: number };

/** Lines of more words are not compared: it would take long, and say little. */
const MOST_WORDS = 300;

/** Lines that have less in common are two lines, and not one that was changed. */
const LEAST_SHARED = 0.35;

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;

function words(line: string): Word[] {
  return [...line.matchAll(WORD)].map((match) => ({ text: match[0], at: match.index }));
}

/** How much two lines have in common, from 0 to 1, and what changed in each. */
export type Compared = { shared: number; before: readonly Mark[]; after: readonly Mark[] };

const NOTHING: Compared = { shared: 0, before: [], after: [] };

export function compareWords(before: string, after: string): Compared {
  const [a, b] = [words(before), words(after)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) return NOTHING;
  const both = longestShared(a, b);
  const letters = (all: readonly Word[]) => all.reduce((sum, word) => sum + word.text.trim().length, 0);
  const all = Math.max(letters(a), letters(b));
  const shared = all === 0 ? 0 : letters(a.filter((_, at) => both.a.has(at))) / all;
  return shared < LEAST_SHARED ? NOTHING : { shared, before: marks(a, both.a), after: marks(b, both.b) };
}

/** The longest row of words that both have in the same order: their places in each. */
function longestShared(a: readonly Word[], b: readonly Word[]): { a: Set<number>; b: Set<number> } {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const length = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        a[row]?.text === b[column]?.text
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
    }
  }
  const shared = { a: new Set<number>(), b: new Set<number>() };
  for (let [row, column] = [0, 0]; row < a.length && column < b.length; ) {
    if (a[row]?.text === b[column]?.text) {
      shared.a.add(row++);
      shared.b.add(column++);
    } else if (length(row + 1, column) >= length(row, column + 1)) row++;
    else column++;
  }
  return shared;
}

/** The words that are not shared, as few places as they make; a gap of mere space between two is closed. */
function marks(all: readonly Word[], shared: ReadonlySet<number>): Mark[] {
  const places: [number, number][] = [];
  all.forEach((word, at) => {
    if (shared.has(at)) return;
    const end = word.at + word.text.length;
    const last = places.at(-1);
    const between = last ? all.filter(({ at: start }) => start >= last[1] && start < word.at) : [];
    if (last && between.every(({ text }) => text.trim() === "")) last[1] = end;
    else places.push([word.at, end]);
  });
  return places;
}
