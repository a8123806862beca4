// Lines of a terminal, drawn; addresses in them are links.

import { Fragment, memo } from "react";
import { OuterLink } from "../markdown/OuterLink";
import { splitAddresses } from "./addresses";
import type { Piece, Style } from "./ansi";
import { nearest } from "./nearest";

const COLOURS = {
  black: "a-k",
  red: "a-r",
  green: "a-g",
  yellow: "a-y",
  blue: "a-b",
  magenta: "a-m",
  cyan: "a-c",
  white: "a-w",
} as const;

function className(style: Style): string {
  const names: string[] = [];
  if (style.colour) names.push(COLOURS[nearest(style.colour)]);
  if (style.background) names.push(`bg-${COLOURS[nearest(style.background)]}`);
  if (style.isBold) names.push("a-1");
  if (style.isFaint) names.push("a-2");
  if (style.isItalic) names.push("a-3");
  if (style.isUnderlined) names.push("a-4");
  if (style.isInverse) names.push("a-7");
  if (style.isStruck) names.push("a-9");
  return names.join(" ");
}

export const Ansi = memo(function Ansi({ lines }: { lines: readonly (readonly Piece[])[] }) {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added at the end.
    <Fragment key={at}>
      {at > 0 ? "\n" : null}
      {line.map((piece, place) => {
        const look = className(piece.style);
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a line do not move.
        const words = <Words key={place} text={piece.text} />;
        return look === "" ? (
          words
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same.
          <span key={place} className={look}>
            {words}
          </span>
        );
      })}
    </Fragment>
  ));
});

function Words({ text }: { text: string }) {
  if (!text.includes("://")) return text;
  return splitAddresses(text).map((part, at) =>
    part.href === undefined ? (
      part.text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a piece do not move.
      <OuterLink key={at} href={part.href} className="link">
        {part.text}
      </OuterLink>
    ),
  );
}
