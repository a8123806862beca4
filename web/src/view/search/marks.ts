// Marks what was found in a part of the page, without changing what is drawn there: the words of a hit go in, and the browser
// paints them. What is drawn later is marked, too.

import { type RefObject, useEffect, useMemo } from "react";
import type { Hit } from "../../api/search";

/** Can this browser paint words without elements around them? */
export const canMark = typeof CSS !== "undefined" && "highlights" in CSS;

const NAME = "found";
/** More than this nobody looks at. */
const MOST = 200;

export function useMarks(root: RefObject<HTMLElement | null>, hit: Hit): void {
  useMarkedWords(
    root,
    useMemo(() => wordsOf(hit), [hit]),
  );
}

/** The same for words that are known. */
export function useMarkedWords(root: RefObject<HTMLElement | null>, words: readonly string[]): void {
  useEffect(() => {
    const element = root.current;
    if (!element || !canMark || words.length === 0) return;
    const mark = () => CSS.highlights.set(NAME, new Highlight(...ranges(element, words)));
    mark();
    const watch = new MutationObserver(mark);
    watch.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [root, words]);
}

/** The words that were found, each once. */
function wordsOf({ snippet }: Hit): string[] {
  const found = snippet.flatMap((piece) => (piece.found ? [piece.text] : []));
  return [...new Set(found)].filter((word) => word.trim() !== "");
}

function ranges(root: HTMLElement, words: readonly string[]): Range[] {
  const all: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && all.length < MOST; node = walker.nextNode()) {
    for (const [start, end] of places(node.textContent ?? "", words).slice(0, MOST - all.length)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      all.push(range);
    }
  }
  return all;
}

/** Where these words stand in a text, in small letters or capitals. Counted in the text as it is: in small letters it may be longer. */
export function places(text: string, words: readonly string[]): [start: number, end: number][] {
  return words.flatMap((word) => {
    const plain = new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
    return [...text.matchAll(plain)].map((found): [number, number] => [found.index, found.index + found[0].length]);
  });
}
