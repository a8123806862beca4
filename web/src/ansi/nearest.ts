// Any colour in, the nearest of the eight that the theme has out: those can be read in light and dark, any colour cannot. Pure.

import type { AnsiColour, NAMES } from "./ansi";

type Name = (typeof NAMES)[number];

/** By hue, in degrees, where each begins. */
const HUES: readonly [number, Name][] = [
  [0, "red"],
  [35, "yellow"],
  [75, "green"],
  [165, "cyan"],
  [200, "blue"],
  [265, "magenta"],
  [335, "red"],
];

export function nearest(colour: AnsiColour): Name {
  if ("name" in colour) return colour.name;
  const [red, green, blue] = colour.rgb.map((value) => value / 255) as [number, number, number];
  const [highest, lowest] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const chroma = highest - lowest;
  // Greys have no hue.
  if (chroma < 0.14) return highest < 0.62 ? "black" : "white";
  const sector =
    highest === red
      ? ((green - blue) / chroma + 6) % 6
      : highest === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  const hue = sector * 60;
  return HUES.findLast(([from]) => hue >= from)?.[1] ?? "red";
}
