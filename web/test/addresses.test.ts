import { expect, test } from "vitest";
import { splitAddresses } from "../src/ansi/addresses";

test("addresses in a text are told from the words around them", () => {
  const parts = splitAddresses("see (https://a.example/x?y=1), or http://b.example. Not javascript://c");
  expect(parts).toEqual([
    { text: "see (" },
    { text: "https://a.example/x?y=1", href: "https://a.example/x?y=1" },
    { text: "), or " },
    { text: "http://b.example", href: "http://b.example/" },
    { text: ". Not javascript://c" },
  ]);
  expect(splitAddresses("https://")).toEqual([{ text: "https://" }]);
  expect(splitAddresses("")).toEqual([]);
});

test.each([
  "https://a.example/\u001b[0m",
  'https://a.example/"onclick=1',
  "xhttps://a.example<b>",
  "https://[::",
  "://",
])("nothing of a text is lost: %j", (text) => {
  expect(
    splitAddresses(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
