import { describe, expect, test } from "vitest";
import type { ImageRef } from "../src/generated";
import { lineDiff } from "../src/view/diff/lineDiff";
import { notebookCells } from "../src/view/item/tool/cells";
import { placePictures, textsBefore } from "../src/view/item/tool/picturePlaces";

describe("cells of a notebook", () => {
  test("code, words and what was given are told apart", () => {
    const text = [
      '<cell id="c1">print(1)\n</cell id="c1">\n1\n',
      '<cell id="c2"><cell_type>markdown</cell_type># Title\n</cell id="c2">\n',
      '<cell id="c3"><language>r</language>x <- 1</cell id="c3">',
    ].join("");
    expect(notebookCells(text)).toEqual([
      { id: "c1", isWords: false, language: undefined, source: "print(1)", output: "1" },
      { id: "c2", isWords: true, language: undefined, source: "# Title", output: "" },
      { id: "c3", isWords: false, language: "r", source: "x <- 1", output: "" },
    ]);
  });

  test("what only looks like a cell inside of one is a part of it", () => {
    const cells = notebookCells('<cell id="c1">s = \'<cell id="c9">\'</cell id="c1">\n<cell id="c2">y</cell id="c2">');
    expect(cells?.map(({ id, source }) => [id, source])).toEqual([
      ["c1", "s = '<cell id=\"c9\">'"],
      ["c2", "y"],
    ]);
  });

  test("a text that was cut ends in its last cell; any other text is no notebook", () => {
    expect(notebookCells('<cell id="c1">print(')?.[0]?.source).toBe("print(");
    expect(notebookCells("1\tprint(1)")).toBeUndefined();
    expect(notebookCells('see <cell id="c1">x</cell id="c1">')).toBeUndefined();
  });
});

describe("pictures of a notebook", () => {
  const picture = (number: number): ImageRef => ({
    mediaType: "image/png",
    bytes: 9,
    seq: 4,
    pointer: `/message/content/0/content/${number}/source/data`,
  });
  const images = [picture(1), picture(2), picture(4), picture(6)];

  test("the texts right before them say where they belong", () => {
    expect(textsBefore(images).map(({ pointer }) => pointer)).toEqual(
      [0, 3, 5].map((number) => `/message/content/0/content/${number}/text`),
    );
    // One that stands first belongs nowhere.
    expect(textsBefore([picture(0)])).toEqual([]);
  });

  test("each is its cell's: the one that begins last before it", () => {
    const texts = new Map([
      [0, '<cell id="a">x</cell id="a">\n<cell id="b">plot()</cell id="b">'],
      [3, "a text of the same output"],
      [5, '<cell id="c">plot()</cell id="c">'],
    ]);
    const { byCell, rest } = placePictures(images, texts);
    expect([...byCell].map(([cell, own]) => [cell, own.length])).toEqual([
      ["b", 3],
      ["c", 1],
    ]);
    expect(rest).toEqual([]);
    expect(placePictures([picture(0)], new Map()).rest).toHaveLength(1);
  });
});

/** What a diff makes of the text before. */
function applied(before: string[], hunks: ReturnType<typeof lineDiff>): string[] {
  const after: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    after.push(...before.slice(at, hunk.oldStart - 1));
    after.push(...hunk.lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1)));
    at = hunk.oldStart - 1 + hunk.oldLines;
  }
  return [...after, ...before.slice(at)];
}

describe("comparing two texts", () => {
  test("what stayed stays, with three lines around each change", () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    const after = before.with(4, "five").toSpliced(20, 1);
    const hunks = lineDiff(before.join("\n"), after.join("\n"));
    expect(hunks.map(({ oldStart, oldLines, newStart, newLines }) => [oldStart, oldLines, newStart, newLines])).toEqual(
      [
        [2, 7, 2, 7],
        [18, 7, 18, 6],
      ],
    );
    expect(hunks[0]?.lines).toContain("-line 5");
    expect(hunks[0]?.lines).toContain("+five");
  });

  test("the parts always lead from one text to the other", () => {
    let seed = 7;
    const random = (most: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % most;
    };
    for (let round = 0; round < 300; round++) {
      const text = () => Array.from({ length: random(14) }, () => "abc"[random(3)] ?? "");
      const [before, after] = [text(), text()];
      // Texts of empty lines alone are told by their ends, which are not compared.
      const hunks = lineDiff(before.join("\n"), after.join("\n"));
      expect(applied(before, hunks)).toEqual(after);
    }
  });

  test("texts that are the same have no parts", () => {
    expect(lineDiff("a\nb\n", "a\nb")).toEqual([]);
    expect(lineDiff("", "a")).toEqual([{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ["+a"] }]);
  });
});
