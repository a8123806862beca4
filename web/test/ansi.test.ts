import { describe, expect, test } from "vitest";
import { parseAnsi } from "../src/ansi/ansi";
import { nearest } from "../src/ansi/nearest";

const E = "\x1b";
const texts = (input: string) => parseAnsi(input).map((line) => line.map((piece) => piece.text).join(""));
const pieces = (input: string) => parseAnsi(input).flat();

describe("colours", () => {
  test("begin and end", () => {
    expect(pieces(`a${E}[31mb${E}[0mc`)).toEqual([
      { text: "a", style: {} },
      { text: "b", style: { colour: { name: "red" } } },
      { text: "c", style: {} },
    ]);
  });

  test("and weights add up, and go one by one", () => {
    const [first, second, third] = pieces(`${E}[1;32ma${E}[22mb${E}[39mc`);
    expect(first?.style).toEqual({ isBold: true, colour: { name: "green" } });
    expect(second?.style).toEqual({ colour: { name: "green" } });
    expect(third?.style).toEqual({});
  });

  test("go on over line ends", () => {
    expect(parseAnsi(`${E}[33ma\nb`).map((line) => line[0]?.style)).toEqual([
      { colour: { name: "yellow" } },
      { colour: { name: "yellow" } },
    ]);
  });

  test("bright ones, backgrounds, 256 and all", () => {
    const style = (code: string) => pieces(`${E}[${code}mx`)[0]?.style;
    expect(style("91")).toEqual({ colour: { name: "red" } });
    expect(style("44")).toEqual({ background: { name: "blue" } });
    expect(style("38;5;9")).toEqual({ colour: { name: "red" } });
    expect(style("38;5;196")).toEqual({ colour: { rgb: [255, 0, 0] } });
    expect(style("38;5;244")).toEqual({ colour: { rgb: [128, 128, 128] } });
    expect(style("38;2;10;20;300")).toEqual({ colour: { rgb: [10, 20, 255] } });
    expect(style("38;2;1;2;3;1")).toEqual({ colour: { rgb: [1, 2, 3] }, isBold: true });
    expect(style("7;38;5")).toEqual({ isInverse: true, colour: { name: "black" } });
  });

  test("an empty sequence is a reset", () => {
    expect(pieces(`${E}[31ma${E}[mb`)[1]?.style).toEqual({});
  });
});

describe("other sequences", () => {
  test.each([
    [`${E}[2J${E}[Ha`, ["a"]],
    [`${E}]0;title\x07a`, ["a"]],
    [`${E}]8;;http://x.example${E}\\link${E}]8;;${E}\\`, ["link"]],
    [`${E}[?25la${E}[?25h`, ["a"]],
    [`${E}(Ba${E}=b`, ["ab"]],
    [`a${E}`, ["a"]],
    [`a${E}[3`, ["a3"]],
    ["a\x00\x07b", ["ab"]],
    ["abc\b\bd", ["ad"]],
  ])("%j", (input, expected) => {
    expect(texts(input)).toEqual(expected);
  });
});

describe("lines", () => {
  test("that are written over show what was written last", () => {
    expect(texts("10 %\r50 %\r100 %\ndone")).toEqual(["100 %", "done"]);
    expect(texts(`10 %${E}[2K\r100 %`)).toEqual(["100 %"]);
  });

  test("end with a line feed, with or without a carriage return", () => {
    expect(texts("a\r\nb\nc\r")).toEqual(["a", "b", "c"]);
  });
});

test("every colour is one that can be read", () => {
  expect(nearest({ rgb: [255, 0, 0] })).toBe("red");
  expect(nearest({ rgb: [255, 165, 0] })).toBe("yellow");
  expect(nearest({ rgb: [0, 200, 80] })).toBe("green");
  expect(nearest({ rgb: [0, 200, 200] })).toBe("cyan");
  expect(nearest({ rgb: [40, 90, 250] })).toBe("blue");
  expect(nearest({ rgb: [220, 40, 220] })).toBe("magenta");
  expect(nearest({ rgb: [100, 100, 100] })).toBe("black");
  expect(nearest({ rgb: [250, 250, 250] })).toBe("white");
  expect(nearest({ name: "cyan" })).toBe("cyan");
});
