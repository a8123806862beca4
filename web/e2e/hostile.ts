// Texts that would do something if they were taken for more than text; and whether they did.

import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { isAll } from "./scope";
import type { Screen } from "./screen";
import { conversation } from "./session";

/** What breaks out of where a text stands … */
const WAYS_OUT = ["", '">', "'>", "</script>", "</title>", "--><!--", "]]>", "</textarea>", "`;", "\u2028"];

/** … and what it then does. */
const DEEDS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  "<form action=//evil.test><button>x",
  "<link rel=stylesheet href=//evil.test/x.css>",
  '<meta http-equiv=refresh content="0;url=//evil.test">',
  "<base href=//evil.test/>",
  "[x](javascript:alert(1))",
  "![x](http://evil.test/x.png)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]-->B; click A "javascript:alert(1)"\n```',
  "$\\href{javascript:alert(1)}{x}$",
  "\u001b]8;;javascript:alert(1)\u001b\\x\u001b]8;;\u001b\\",
  "\u001b[2J\u001b]0;title\u0007",
  "{{constructor.constructor('alert(1)')()}}",
  "\u202e<script>alert(1)</script>",
  "<!--[if IE]><script>alert(1)</script><![endif]-->",
];

/** With `--all` every combination; otherwise every deed alone and with one way out, and every way out at least twice. */
export const texts = isAll
  ? WAYS_OUT.flatMap((way) => DEEDS.map((deed) => way + deed))
  : [...DEEDS, ...DEEDS.map((deed, at) => WAYS_OUT[1 + (at % (WAYS_OUT.length - 1))] + deed)];
export const numbers = [...texts.keys()];

/** Two for places that hold but one. */
export const [first = "", second = ""] = texts.slice(1);

/** Their numbers, so many at a time: what fits into one place. */
export const sliced = (size: number): number[][] =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => numbers.slice(at * size, (at + 1) * size));

/** All of them in one text, with a word at its end that says where it stands. */
export const allIn = (place: string): string => `${texts.join("\n\n")}\n\n${endOf(place)}`;
export const endOf = (place: string): string => `The end of ${place}.`;

/** One of them in one line, with a mark that says where it stands and which it is. */
export const oneIn = (place: string, at: number): string =>
  `${(texts[at] ?? "").replace(/\n/g, " ")} ${markOf(place, at)}`;
const markOf = (place: string, at: number): string => `(${place} ${at})`;

/** Which of them are missing in what was seen, with their marks: nothing if every one stood there as it was written. */
export const missingIn = (place: string, seen: string): string[] =>
  missing(
    texts.map((_, at) => oneIn(place, at)),
    seen,
  );

/** Which of these are missing in what was seen. Spaces, and signs that are not seen, are no matter. */
export function missing(wanted: readonly string[], seen: string): string[] {
  const plain = (text: string) => text.replace(/[\s\p{C}]+/gu, "");
  const all = plain(seen);
  return wanted.filter((text) => !all.includes(plain(text)));
}

/** Nothing on the page was made by a text. Gives all that can be read there, hidden or not. */
export async function isInnocent({ page }: Screen): Promise<string> {
  const found = await page.evaluate(() => {
    const all = <E extends Element>(which: string) => [...document.querySelectorAll<E>(which)];
    return {
      links: all<HTMLAnchorElement>("a[href]").map((link) => link.protocol),
      made: all("#root :is(script, iframe, object, embed, form[action], base, meta, link, style, math)").length,
      deeds: all("#root *").filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
      pictures: all<HTMLImageElement>("#root img").map((picture) => picture.src),
      text: document.body.textContent ?? "",
      typed: all<HTMLInputElement>("input, textarea").map((field) => field.value),
    };
  });
  expect(found.links.filter((protocol) => !["http:", "https:", "mailto:"].includes(protocol))).toEqual([]);
  expect([found.made, found.deeds]).toEqual([0, 0]);
  expect(found.pictures.filter((source) => !/^(data|blob):/.test(source))).toEqual([]);
  return [found.text, ...found.typed].join("\n");
}

/** Opens all that folds in a place, and what then folds in it, too. */
export async function openAll(place: Locator): Promise<void> {
  const closed = place.locator('[aria-expanded="false"], button.more:enabled, button.json-fold:not([aria-expanded])');
  const coming = place.locator("p.more, button.more:disabled");
  do {
    if ((await closed.count()) > 0) await closed.first().click();
    await expect.poll(() => coming.count()).toBe(0);
  } while ((await closed.count()) > 0);
}

/** What stands in each row of the conversation up to its last, which begins with these words: opened, and looked at while it is. */
export async function readRows(on: Screen, last: string): Promise<string[]> {
  // From row to row, as one does with the keyboard.
  const seen: string[] = [];
  const active = () =>
    on.page.evaluate(() => document.activeElement?.closest("[data-key]")?.getAttribute("data-key") ?? "");
  await conversation(on).press("Home");
  await expect.poll(active).not.toBe("");
  for (let isLast = false; !isLast; ) {
    const key = await active();
    const row = conversation(on).locator(`[data-key="${key}"]`);
    await row.press("ArrowRight");
    await openAll(row);
    const words = (await row.textContent()) ?? "";
    seen.push(words);
    await isInnocent(on);
    isLast = words.startsWith(last);
    await row.press("ArrowDown");
    if (!isLast) await expect.poll(async () => ["", key].includes(await active())).toBe(false);
  }
  return seen;
}
