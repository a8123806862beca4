// Code, with its colours where they are known.

import { Fragment, memo } from "react";
import type { Colour, Lines, Span } from "./blocks";

const CLASSES: Record<Colour, string> = {
  keyword: "t-k",
  string: "t-s",
  number: "t-n",
  function: "t-f",
  type: "t-t",
  comment: "t-c",
  added: "added",
  removed: "removed",
};

export const Code = memo(function Code({ text, lines }: { text: string; lines: Lines | undefined }) {
  if (!lines) return text;
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move.
    <Fragment key={at}>
      {at > 0 ? "\n" : null}
      <Spans spans={line} />
    </Fragment>
  ));
});

export function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map((span, at) =>
    span.colour === undefined ? (
      span.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line do not move.
      <span key={at} className={CLASSES[span.colour]}>
        {span.text}
      </span>
    ),
  );
}
