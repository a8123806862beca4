// Markdown that is still being written: text in, bit by bit; blocks out, and how many of them are as they were. A block is parsed
// again only while what is written after it can still change it. What comes out is what parsing the whole would give.

import { Lexer, type Token, type TokensList } from "marked";
import type { Block } from "./blocks";
import { toBlocks } from "./convert";

type Links = TokensList["links"];

export class MarkdownStream {
  private text = "";
  /** Where the part begins that is parsed again. */
  private settledTo = 0;
  private settled: Block[] = [];
  /** The addresses that the settled part defines. */
  private settledLinks: Links = {};
  /** All addresses that were known at the last look, as text. */
  private linksSeen = "{}";

  /** All blocks of the text, and how many of the first are the same objects as the last time. */
  read(text: string): { blocks: Block[]; same: number } {
    const next = text.replace(/\r\n?/g, "\n");
    let same = this.settled.length;
    if (!next.startsWith(this.text.slice(0, this.settledTo))) same = this.forget();
    this.text = next;
    let tokens = this.lex();
    if (this.linksSeen !== JSON.stringify(tokens.links)) {
      // An address that was defined, or is no longer, changes what was written before it.
      const links = JSON.stringify(tokens.links);
      same = this.forget();
      tokens = this.lex();
      this.linksSeen = links;
    }
    this.settle(tokens);
    return { blocks: [...this.settled, ...toBlocks(this.rest(tokens))], same };
  }

  private forget(): number {
    this.settledTo = 0;
    this.settled = [];
    this.settledLinks = {};
    return 0;
  }

  private lex(): TokensList {
    const lexer = new Lexer({ gfm: true });
    Object.assign(lexer.tokens.links, this.settledLinks);
    return lexer.lex(this.text.slice(this.settledTo));
  }

  private settledNow = 0;

  /** Takes over the tokens that nothing can change any more. */
  private settle(tokens: TokensList): void {
    this.settledNow = settledCount(tokens);
    if (this.settledNow === 0) return;
    const done = tokens.slice(0, this.settledNow);
    this.settled = [...this.settled, ...toBlocks(done)];
    for (const token of done) {
      this.settledTo += token.raw.length;
      if (token.type === "def") this.settledLinks[token.tag] ??= { href: token.href, title: token.title };
    }
  }

  private rest(tokens: TokensList): Token[] {
    return tokens.slice(this.settledNow);
  }
}

/** A paragraph that may still turn out to define an address, however much follows. */
const MAY_DEFINE = /^ {0,3}\[[^\]]*\]:/;

/** What may still become another item of the list before it. */
const MAY_BE_ITEM = /^ {0,3}(?:\d{1,9}[.)]?|[-+*])$/;

/**
 * How many tokens nothing that follows can change: all before the last one, if an empty line stands before that. (Without the
 * empty line it may turn out to belong to the one before: `#` begins a heading, `#x` does not.)
 */
function settledCount(tokens: readonly Token[]): number {
  const mayDefine = tokens.findIndex((token) => token.type === "paragraph" && MAY_DEFINE.test(token.raw));
  const end = mayDefine < 0 ? tokens.length : mayDefine;
  for (let at = end - 1; at > 0; at--) {
    const [token, before] = [tokens[at], tokens[at - 1]];
    if (token?.type === "space" || !before) continue;
    if (MAY_BE_ITEM.test(token?.raw ?? "") && tokens.slice(0, at).some(({ type }) => type === "list")) continue;
    if (before.type === "space" || /\n[ \t]*\n$/.test(before.raw)) return at;
  }
  return 0;
}
