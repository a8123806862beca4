// What a text in Markdown is made of, as it is drawn: plain data that a worker can send. There is no HTML in it.

/** A piece of code in one colour. */
export type Span = { text: string; colour?: Colour };

/** The colours of code; each is a class of the style sheet. */
export type Colour = "keyword" | "string" | "number" | "function" | "type" | "comment" | "added" | "removed";

/** Code, line by line. */
export type Lines = Span[][];

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong" | "emphasis" | "deleted"; children: Inline[] }
  /** A link; of a picture, which is never loaded, too. */
  | { kind: "link"; href: string; isImage: boolean; children: Inline[] }
  | { kind: "break" };

export type Block =
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "heading"; level: number; children: Inline[] }
  | { kind: "code"; language: string; text: string; lines?: Lines }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; start: number | undefined; isLoose: boolean; items: ListItem[] }
  | { kind: "table"; align: Align[]; head: Inline[][]; rows: Inline[][][] }
  | { kind: "rule" };

export type Align = "left" | "right" | "center" | null;

/** `done` is there if it is a task. */
export type ListItem = { done?: boolean; blocks: Block[] };
