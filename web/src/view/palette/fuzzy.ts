// How well words that were typed fit to a text: both in, a number out, the smaller the better; nothing if they do not. Pure.

/** Each word has to be found: best at the beginning, then at the beginning of a word, then inside of one, then letter by letter. */
export function distance(text: string, query: string): number | undefined {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const how = distanceOf(lower, word);
    if (how === undefined) return undefined;
    sum += how;
  }
  // Of two that fit alike the shorter one is meant.
  return sum + Math.min(lower.length, 200) / 1000;
}

function distanceOf(text: string, word: string): number | undefined {
  const at = text.indexOf(word);
  if (at === 0) return 0;
  if (isWordStart(text, word)) return 1;
  if (at > 0) return 2;
  return letters(text, word);
}

function isWordStart(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
  }
  return false;
}

/** All letters in their order; not too far apart, or everything fits to everything. */
function letters(text: string, word: string): number | undefined {
  if (word.length < 2) return undefined;
  let best: number | undefined;
  for (let start = text.indexOf(word.charAt(0)); start >= 0; start = text.indexOf(word.charAt(0), start + 1)) {
    let at = start;
    for (const letter of word.slice(1)) {
      at = text.indexOf(letter, at + 1);
      if (at < 0) break;
    }
    if (at < 0) break;
    const gaps = at - start + 1 - word.length;
    if (best === undefined || gaps < best) best = gaps;
  }
  return best === undefined || best > word.length * 3 ? undefined : 3 + best / 10;
}
