// The worker: texts in, blocks and coloured lines out. Everything that takes long with text is done here.

import type { Block } from "./blocks";
import { highlight, isLoaded, load } from "./highlight";
import { type Language, languageNamed } from "./languages";
import type { FromWorker, ToWorker } from "./messages";
import { MarkdownStream } from "./stream";

type Text = { stream: MarkdownStream; text: string; blocks: Block[] };

const texts = new Map<string, Text>();

function say(message: FromWorker): void {
  self.postMessage(message);
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "markdown":
      markdown(data.key, data.keep, data.text);
      break;
    case "code":
      void code(data.key, data.text, data.language);
      break;
    case "forget":
      texts.delete(data.key);
      break;
    default:
      data satisfies never;
  }
};

function markdown(key: string, keep: number, added: string): void {
  const known = texts.get(key) ?? { stream: new MarkdownStream(), text: "", blocks: [] };
  texts.set(key, known);
  known.text = known.text.slice(0, keep) + added;
  const { blocks, same } = known.stream.read(known.text);
  for (const block of blocks.slice(same)) colour(block, key);
  known.blocks = blocks;
  say({ kind: "markdown", key, keep: same, blocks: blocks.slice(same), length: known.text.length });
}

/** Colours the code in a block, or has it done when the grammar is there. */
function colour(block: Block, key: string): void {
  switch (block.kind) {
    case "code": {
      const language = languageNamed(block.language);
      if (language === undefined) break;
      if (isLoaded(language)) withLines(block, language);
      else void load(language).then(() => again(key));
      break;
    }
    case "quote":
      for (const inner of block.blocks) colour(inner, key);
      break;
    case "list":
      for (const item of block.items) for (const inner of item.blocks) colour(inner, key);
      break;
    default:
  }
}

function withLines(block: Extract<Block, { kind: "code" }>, language: Language): void {
  const lines = highlight(block.text, language);
  if (lines) block.lines = lines;
}

/** A grammar has come: all of the text is sent once more. */
function again(key: string): void {
  const known = texts.get(key);
  if (!known) return;
  for (const block of known.blocks) recolour(block);
  say({ kind: "markdown", key, keep: 0, blocks: known.blocks, length: known.text.length });
}

function recolour(block: Block): void {
  if (block.kind === "quote") block.blocks.forEach(recolour);
  if (block.kind === "list") for (const item of block.items) item.blocks.forEach(recolour);
  if (block.kind !== "code" || block.lines) return;
  const language = languageNamed(block.language);
  if (language !== undefined && isLoaded(language)) withLines(block, language);
}

async function code(key: string, text: string, name: string): Promise<void> {
  const language = languageNamed(name);
  if (language !== undefined) await load(language);
  say({ kind: "code", key, lines: language === undefined ? undefined : highlight(text, language) });
}
