// The lexer's tokens in, blocks out. HTML becomes text, pictures become links, links lead only where `safeHref` allows.

import type { MarkedToken, Token, Tokens } from "marked";
import type { Block, Inline, ListItem } from "./blocks";
import { decodeEntities } from "./entities";
import { safeHref } from "./links";

/** So deep may quotes and lists stand in each other; what is deeper is shown as it was written. */
const DEEPEST = 24;

export function toBlocks(tokens: readonly Token[], depth = 0): Block[] {
  return tokens.flatMap((token) => toBlock(token as MarkedToken, depth));
}

function toBlock(token: MarkedToken, depth: number): Block[] {
  if (depth > DEEPEST) return [paragraphOf(token.raw)];
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "paragraph":
      return [{ kind: "paragraph", children: toInlines(token.tokens) }];
    case "text":
      return [
        { kind: "paragraph", children: "tokens" in token && token.tokens ? toInlines(token.tokens) : text(token) },
      ];
    case "heading":
      return [{ kind: "heading", level: token.depth, children: toInlines(token.tokens) }];
    case "code":
      return [{ kind: "code", language: languageOf(token.lang), text: token.text }];
    case "blockquote":
      return [{ kind: "quote", blocks: toBlocks(token.tokens, depth + 1) }];
    case "list":
      return [toList(token, depth)];
    case "table":
      return [toTable(token)];
    case "hr":
      return [{ kind: "rule" }];
    case "html":
      return [paragraphOf(token.raw)];
    case "checkbox":
      return [];
    default:
      return [paragraphOf(token.raw)];
  }
}

/** The first word after the fence. */
function languageOf(info: string | undefined): string {
  return /^[^\s{,]*/.exec(info ?? "")?.[0] ?? "";
}

/** Text as it was written, with its lines. */
function paragraphOf(raw: string): Block {
  const lines = raw.replace(/\n+$/, "").split("\n");
  const children = lines.flatMap((text, at): Inline[] => [
    ...(at > 0 ? [{ kind: "break" as const }] : []),
    ...(text === "" ? [] : [{ kind: "text" as const, text }]),
  ]);
  return { kind: "paragraph", children };
}

function toList(token: Tokens.List, depth: number): Block {
  return {
    kind: "list",
    start: token.ordered ? Number(token.start) : undefined,
    isLoose: token.loose,
    items: token.items.map((item) => toItem(item, depth)),
  };
}

function toItem(item: Tokens.ListItem, depth: number): ListItem {
  const blocks = toBlocks(item.tokens, depth + 1);
  return item.task ? { done: item.checked === true, blocks } : { blocks };
}

function toTable(token: Tokens.Table): Block {
  return {
    kind: "table",
    align: token.align,
    head: token.header.map((cell) => toInlines(cell.tokens)),
    rows: token.rows.map((row) => row.map((cell) => toInlines(cell.tokens))),
  };
}

function toInlines(tokens: readonly Token[] | undefined): Inline[] {
  const all: Inline[] = [];
  for (const token of tokens ?? []) {
    for (const inline of toInline(token as MarkedToken)) {
      const last = all.at(-1);
      if (inline.kind === "text" && last?.kind === "text") last.text += inline.text;
      else all.push(inline);
    }
  }
  return all;
}

function toInline(token: MarkedToken): Inline[] {
  switch (token.type) {
    case "text":
      return "tokens" in token && token.tokens ? toInlines(token.tokens) : text(token);
    case "escape":
      return [{ kind: "text", text: token.text }];
    case "strong":
      return [{ kind: "strong", children: toInlines(token.tokens) }];
    case "em":
      return [{ kind: "emphasis", children: toInlines(token.tokens) }];
    case "del":
      return [{ kind: "deleted", children: toInlines(token.tokens) }];
    case "codespan":
      return [{ kind: "code", text: token.text }];
    case "br":
      return [{ kind: "break" }];
    case "link":
      return link(token.href, false, toInlines(token.tokens), token.raw);
    case "image": {
      const words = decodeEntities(token.text) || token.href;
      return link(token.href, true, [{ kind: "text", text: words }], token.raw);
    }
    case "checkbox":
      return [];
    default:
      // HTML and whatever is new: as it was written.
      return [{ kind: "text", text: token.raw }];
  }
}

function text(token: Tokens.Text | Tokens.Tag): Inline[] {
  return [{ kind: "text", text: decodeEntities(token.text) }];
}

/** A link that leads nowhere we go is shown as it was written, so that nothing is hidden. */
function link(address: string, isImage: boolean, children: Inline[], raw: string): Inline[] {
  const href = safeHref(decodeEntities(address));
  return href === undefined ? [{ kind: "text", text: raw }] : [{ kind: "link", href, isImage, children }];
}
