// Colours change nothing but the colour: every character and every line is still there.

import { describe, expect, test } from "vitest";
import { GRAMMARS } from "../src/markdown/grammars";
import { highlight, isLoaded, load } from "../src/markdown/highlight";
import { LANGUAGES, languageNamed, languageOfPath } from "../src/markdown/languages";

const SAMPLE =
  '/* a\n b */\nfn main() { let x = "s\\n"; } // c\n\n<a href="x">&amp;<script>alert(1)</script></a>\n# h\n- 12.5e3 `t$\n<style>a{b:c}</style>\n\t\'q\' $HOME\n';

describe("every language", () => {
  test.each(LANGUAGES)("%s", async (language) => {
    await load(language);
    const lines = highlight(SAMPLE, language);
    expect(lines?.map((line) => line.map((span) => span.text).join("")).join("\n")).toBe(SAMPLE);
  });

  test("has a grammar", () => {
    expect(Object.keys(GRAMMARS).sort()).toEqual([...LANGUAGES].sort());
  });
});

test("keywords, strings, numbers and comments have their colours", async () => {
  await load("rust");
  const spans = highlight('let a = "x"; // 1\nlet b = 12;', "rust")?.flat() ?? [];
  const colour = (text: string) => spans.find((span) => span.text.includes(text))?.colour;
  expect(colour("let")).toBe("keyword");
  expect(colour('"x"')).toBe("string");
  expect(colour("// 1")).toBe("comment");
  expect(colour("12")).toBe("number");
});

test("a comment of several lines is one on each of them", async () => {
  await load("c");
  const lines = highlight("/* a\n b */ int c;", "c");
  expect(lines?.map((line) => line[0]?.colour)).toEqual(["comment", "comment"]);
});

test("what is not loaded is not coloured", () => {
  expect(isLoaded("perl") ? undefined : highlight("1", "perl")).toBeUndefined();
});

test("languages are known by many names, and files by theirs", () => {
  expect(languageNamed("TSX")).toBe("typescript");
  expect(languageNamed("constructor")).toBeUndefined();
  expect(languageOfPath("/a/b.test.ts")).toBe("typescript");
  expect(languageOfPath("/a/Dockerfile")).toBe("dockerfile");
  expect(languageOfPath("Makefile")).toBe("makefile");
  expect(languageOfPath("/a.b/README")).toBeUndefined();
  expect(languageOfPath("Cargo.toml")).toBe("ini");
});
