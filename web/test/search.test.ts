// What the search page makes of what was found.

import { expect, test } from "vitest";
import { places } from "../src/view/search/marks";

test("words are marked where they stand in the text as it is", () => {
  const marked = (text: string, ...words: string[]) =>
    places(text, words).map(([start, end]) => text.slice(start, end));
  expect(marked("Lexer, lexer and LEXER", "lexer")).toEqual(["Lexer", "lexer", "LEXER"]);
  // In small letters this text is longer than it is.
  expect(marked("İİİ the end", "end")).toEqual(["end"]);
  expect(marked("a.b a-b (c)", "a.b", "a-b", "(c)")).toEqual(["a.b", "a-b", "(c)"]);
});
