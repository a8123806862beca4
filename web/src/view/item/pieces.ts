// A message in its order: its words and pictures in, one after the other out. Pure.

import type { ImageRef } from "../../generated";

export type Piece = { kind: "words"; text: string } | { kind: "pictures"; images: readonly ImageRef[] };

export function piecesOf(text: string, images: readonly ImageRef[]): Piece[] {
  // Nearly every message has none, or has them all in front.
  const letters = images.some(({ after }) => after !== undefined) ? [...text] : [text];
  const pieces: Piece[] = [];
  let from = 0;
  const say = (to: number) => {
    // Between two texts there is an end of line that nobody wrote.
    const words = letters
      .slice(from, to)
      .join("")
      .replace(from === 0 ? "" : /^\n/, "");
    if (words.trim() !== "") pieces.push({ kind: "words", text: words });
    from = Math.max(from, to);
  };
  for (const image of images) {
    if (image.after !== undefined && image.after > from) say(image.after);
    const last = pieces.at(-1);
    if (last?.kind === "pictures") pieces.splice(-1, 1, { kind: "pictures", images: [...last.images, image] });
    else pieces.push({ kind: "pictures", images: [image] });
  }
  say(letters.length);
  return pieces;
}
