// Code in, coloured pieces out, line by line. For the worker: grammars are large and slow.

import highlighter from "highlight.js/lib/core";
import type { Colour, Lines, Span } from "./blocks";
import { GRAMMARS } from "./grammars";
import type { Language } from "./languages";

/** Longer code is left without colours: nobody reads it for them. */
const LONGEST = 200_000;

/** Which of our colours a scope of highlight.js has, by its first word. */
const COLOURS: Record<string, Colour> = {
  keyword: "keyword",
  literal: "number",
  built_in: "type",
  type: "type",
  class: "type",
  number: "number",
  symbol: "number",
  bullet: "keyword",
  string: "string",
  regexp: "string",
  quote: "comment",
  comment: "comment",
  doctag: "comment",
  meta: "keyword",
  section: "function",
  title: "function",
  name: "keyword",
  tag: "keyword",
  attr: "function",
  attribute: "function",
  selector: "type",
  variable: "function",
  property: "function",
  link: "string",
  code: "string",
  addition: "added",
  deletion: "removed",
};

function colourOf(scope: string | undefined): Colour | undefined {
  if (scope === undefined || scope === "title.class" || scope === "title.class.inherited") {
    return scope === undefined ? undefined : "type";
  }
  if (scope.startsWith("selector-")) return COLOURS.selector;
  const first = scope.split(".")[0] ?? "";
  return Object.hasOwn(COLOURS, first) ? COLOURS[first] : undefined;
}

/** Hears what highlight.js finds, and keeps it as lines. (The library itself would make HTML.) */
class LineEmitter {
  readonly lines: Lines = [[]];
  private readonly scopes: (string | undefined)[] = [];

  addText(text: string): void {
    this.add(text, colourOf(this.scopes.findLast((scope) => colourOf(scope) !== undefined)));
  }

  private add(text: string, colour: Colour | undefined): void {
    text.split("\n").forEach((part, at) => {
      if (at > 0) this.lines.push([]);
      if (part === "") return;
      const line = this.lines.at(-1) as Span[];
      const last = line.at(-1);
      if (last && last.colour === colour) last.text += part;
      else line.push(colour === undefined ? { text: part } : { text: part, colour });
    });
  }

  startScope(scope: string): void {
    this.scopes.push(scope);
  }

  endScope(): void {
    this.scopes.pop();
  }

  openNode(scope: string): void {
    this.startScope(scope);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: LineEmitter): void {
    emitter.lines.forEach((line, at) => {
      if (at > 0) this.lines.push([]);
      for (const span of line) this.add(span.text, span.colour);
    });
  }

  finalize(): void {}
  closeAllNodes(): void {}

  toHTML(): string {
    return "";
  }
}

// The types know only the library's own emitter.
highlighter.configure({ __emitter: LineEmitter } as unknown as Parameters<typeof highlighter.configure>[0]);

/** True once the language can be coloured. */
export const isLoaded = (language: Language): boolean => highlighter.getLanguage(language) !== undefined;

const loading = new Map<Language, Promise<void>>();

/** Fetches the grammar, once. */
export function load(language: Language): Promise<void> {
  const known = loading.get(language);
  if (known) return known;
  const coming = GRAMMARS[language]()
    .then((grammar) => highlighter.registerLanguage(language, grammar.default))
    .catch(() => void loading.delete(language));
  loading.set(language, coming);
  return coming;
}

/** The code in colours; none if it is too long, or the language is not loaded. */
export function highlight(code: string, language: Language): Lines | undefined {
  if (code.length > LONGEST || !isLoaded(language)) return undefined;
  try {
    const result = highlighter.highlight(code, { language, ignoreIllegals: true });
    return (result as unknown as { _emitter: LineEmitter })._emitter.lines;
  } catch {
    return undefined;
  }
}
