// What a terminal would show: the bytes of a command in, lines of pieces with colours out. Only colours and weights are done;
// other sequences are left out, and what a line writes over itself is written over. Pure.

export type Style = {
  /** A class for the colour of the text, or a colour as numbers. */
  colour?: AnsiColour;
  background?: AnsiColour;
  isBold?: boolean;
  isFaint?: boolean;
  isItalic?: boolean;
  isUnderlined?: boolean;
  isStruck?: boolean;
  isInverse?: boolean;
};

/** One of the eight, or any. */
export type AnsiColour = { name: (typeof NAMES)[number] } | { rgb: readonly [number, number, number] };

export type Piece = { text: string; style: Style };

export const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Escape sequences: those with parameters, those with a text (titles, links), and the short ones. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of.
const SEQUENCE = /\x1b\[([0-9;:<=>?]*)[ -/]*([@-~])|\x1b[\]PX^_][\s\S]*?(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]?/g;

/** What is no text and no line end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant.
const CONTROL = /[\x00-\x07\x0b-\x0c\x0e-\x1a\x1c-\x1f\x7f]/g;

const PLAIN: Style = {};

export function parseAnsi(text: string): Piece[][] {
  const lines: Piece[][] = [[]];
  let style = PLAIN;
  let at = 0;
  const write = (part: string) => writeText(lines, part, style);
  for (const match of text.matchAll(SEQUENCE)) {
    write(text.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") style = changed(style, match[1] ?? "");
    // A line that is wiped is one that is written anew.
    if (match[2] === "K" && (match[1] === "2" || match[1] === "1")) lines[lines.length - 1] = [];
  }
  write(text.slice(at));
  return lines.map(joined);
}

function writeText(lines: Piece[][], text: string, style: Style): void {
  if (text === "") return;
  const parts = text.replace(/\r+\n/g, "\n").split("\n");
  parts.forEach((part, number) => {
    if (number > 0) lines.push([]);
    // What comes after a carriage return takes the place of what stands there: progress bars show their last state.
    const overs = part.split("\r");
    overs.forEach((over, turn) => {
      const isWritten = over !== "" || turn === 0;
      if (turn > 0 && isWritten) lines[lines.length - 1] = [];
      const clean = erase(over).replace(CONTROL, "");
      if (clean !== "") lines.at(-1)?.push({ text: clean, style });
    });
  });
}

/** A backspace takes back the character before it. */
function erase(text: string): string {
  if (!text.includes("\b")) return text;
  const kept: string[] = [];
  for (const character of text) {
    if (character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}

/** Pieces of one look, put together. */
function joined(line: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of line) {
    const last = all.at(-1);
    if (last && last.style === piece.style) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}

/** The look after the numbers of a sequence that ends in `m`. */
function changed(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((code) => Number.parseInt(code, 10) || 0);
  let style: Style = { ...before };
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = {};
    else if (code === 38 || code === 48) {
      const [colour, used] = extended(codes, at + 1);
      at += used;
      if (colour) style = { ...style, [code === 38 ? "colour" : "background"]: colour };
    } else style = simple(style, code);
  }
  return Object.keys(style).length === 0 ? PLAIN : style;
}

const SWITCHES: Record<number, Style> = {
  1: { isBold: true },
  2: { isFaint: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  9: { isStruck: true },
};

const OFF: Record<number, (keyof Style)[]> = {
  22: ["isBold", "isFaint"],
  23: ["isItalic"],
  24: ["isUnderlined"],
  27: ["isInverse"],
  29: ["isStruck"],
  39: ["colour"],
  49: ["background"],
};

function simple(style: Style, code: number): Style {
  const on = SWITCHES[code];
  if (on) return { ...style, ...on };
  const off = OFF[code];
  if (off) {
    const next = { ...style };
    for (const key of off) delete next[key];
    return next;
  }
  const colour = named(code % 10);
  if (!colour) return style;
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...style, colour };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...style, background: colour };
  return style;
}

function named(number: number): AnsiColour | undefined {
  const name = NAMES[number];
  return name === undefined ? undefined : { name };
}

/** `5;n` is a colour of the palette of 256, `2;r;g;b` is any; how many numbers that took. */
function extended(codes: readonly number[], at: number): [AnsiColour | undefined, number] {
  if (codes[at] === 5) return [palette(codes[at + 1] ?? 0), 2];
  if (codes[at] === 2) return [{ rgb: [level(codes[at + 1]), level(codes[at + 2]), level(codes[at + 3])] }, 4];
  return [undefined, 1];
}

const level = (value: number | undefined): number => Math.min(255, Math.max(0, value ?? 0));

function palette(number: number): AnsiColour | undefined {
  if (number < 16) return named(number % 8);
  if (number > 255) return undefined;
  if (number >= 232) {
    const grey = 8 + (number - 232) * 10;
    return { rgb: [grey, grey, grey] };
  }
  const part = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const index = number - 16;
  return { rgb: [part(Math.floor(index / 36)), part(Math.floor(index / 6) % 6), part(index % 6)] };
}
