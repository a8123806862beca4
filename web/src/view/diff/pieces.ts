// A line in colours and the places that changed in it in; pieces that are one colour and marked or not out. Pure.

import type { Span } from "../../markdown/blocks";
import type { Mark } from "./words";

export type Piece = Span & { isMarked: boolean };

export function pieces(spans: readonly Span[], marks: readonly Mark[]): Piece[] {
  const all: Piece[] = [];
  let at = 0;
  for (const span of spans) {
    const end = at + span.text.length;
    let from = at;
    while (from < end) {
      const inside = marks.find(([start, stop]) => start <= from && from < stop);
      const next = marks.find(([start]) => start > from);
      const to = Math.min(end, inside ? inside[1] : (next?.[0] ?? end));
      all.push({ ...span, text: span.text.slice(from - at, to - at), isMarked: inside !== undefined });
      from = to;
    }
    at = end;
  }
  return all;
}
