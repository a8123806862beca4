// What the page and its worker say to each other.

import type { Block, Lines } from "./blocks";

export type ToWorker =
  /** The text of `key` is what it was up to `keep`, then this. */
  | { kind: "markdown"; key: string; keep: number; text: string }
  | { kind: "code"; key: string; text: string; language: string }
  /** Nobody looks at it any more. */
  | { kind: "forget"; key: string };

export type FromWorker =
  /** The blocks of `key` are what they were up to `keep`, then these. */
  | { kind: "markdown"; key: string; keep: number; blocks: Block[]; length: number }
  | { kind: "code"; key: string; lines: Lines | undefined };
