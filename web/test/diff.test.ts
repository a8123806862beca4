import { describe, expect, test } from "vitest";
import type { Diff, Hunk } from "../src/generated";
import { headOf, limitOf, lineLimit } from "../src/view/diff/limit";
import { diffLines } from "../src/view/diff/lines";
import { pieces } from "../src/view/diff/pieces";
import { editsIn, placed } from "../src/view/diff/placed";
import { compareWords } from "../src/view/diff/words";

const diff = (...hunks: Hunk[]): Diff => ({
  path: "a.rs",
  hunks,
  added: 0,
  removed: 0,
  created: false,
  userModified: false,
  proposed: false,
});

const hunk = (oldStart: number, newStart: number, lines: string[]): Hunk => ({
  oldStart,
  oldLines: lines.filter((line) => !line.startsWith("+")).length,
  newStart,
  newLines: lines.filter((line) => !line.startsWith("-")).length,
  lines,
});

const changedWords = (before: string, after: string) => {
  const compared = compareWords(before, after);
  return [compared.before, compared.after] as const;
};

const marked = (line: string, marks: readonly (readonly [number, number])[]) =>
  marks.map(([from, to]) => line.slice(from, to));

describe("lines", () => {
  test("have the numbers of both sides, and gaps between parts", () => {
    const { lines } = diffLines(diff(hunk(12, 12, [" a", "-b", "+c", "+d", " e"]), hunk(26, 27, ["-x", "+y"])));
    const numbers = lines.map((line) => (line.kind === "gap" ? line.lines : "old" in line ? [line.old, line.new] : 0));
    expect(numbers).toEqual([
      [12, 12],
      [13, undefined],
      [undefined, 13],
      [undefined, 14],
      [14, 15],
      11,
      [26, undefined],
      [undefined, 27],
    ]);
  });

  test("have no numbers where the place is not known", () => {
    const { lines } = diffLines(diff(hunk(0, 0, [" a", "-b"]), hunk(0, 0, ["+c"])));
    expect(lines.map((line) => ("old" in line ? [line.old, line.new] : line))).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      { kind: "gap", lines: undefined },
      [undefined, undefined],
    ]);
  });

  test("of a new file are all added", () => {
    const { lines, oldText, newText } = diffLines(diff(hunk(0, 1, ["+a", "+b"])));
    expect(lines.map((line) => line.kind)).toEqual(["added", "added"]);
    expect([oldText, newText]).toEqual(["", "a\nb"]);
  });

  test("know where they stand in the text of each side", () => {
    const { lines, oldText, newText } = diffLines(diff(hunk(1, 1, [" a", "-b", "+c", " d"])));
    for (const line of lines) {
      if (!("oldAt" in line)) continue;
      if (line.oldAt !== undefined) expect(oldText.split("\n")[line.oldAt]).toBe(line.text);
      if (line.newAt !== undefined) expect(newText.split("\n")[line.newAt]).toBe(line.text);
    }
  });

  test("a remark of the patch is none of the file", () => {
    const { lines } = diffLines(diff(hunk(1, 1, ["-a", "\\ No newline at end of file", "+b"])));
    expect(lines[1]).toEqual({ kind: "note", text: "No newline at end of file" });
  });
});

describe("words", () => {
  test("that changed are marked, and no others", () => {
    const [before, after] = ["    pub len: u16,", "    pub len: u32,"];
    const [gone, come] = changedWords(before, after);
    expect(marked(before, gone)).toEqual(["u16"]);
    expect(marked(after, come)).toEqual(["u32"]);
  });

  test("that stand together are one mark", () => {
    const [before, after] = ["self.lo + self.len as u32 }", "self.lo + self.len }"];
    const [gone, come] = changedWords(before, after);
    expect(marked(before, gone).map((word) => word.trim())).toEqual(["as u32"]);
    expect(come).toEqual([]);
  });

  test("of two lines with nothing in common are not marked", () => {
    expect(changedWords("let a = 1;", "return Err(Problem::Missing)")).toEqual([[], []]);
  });

  test("of two lines that are the same are not marked", () => {
    expect(changedWords("same", "same")).toEqual([[], []]);
  });

  test("lines of the diff that were replaced are compared in pairs", () => {
    const { lines } = diffLines(diff(hunk(1, 1, ["-let a = 1;", "-let b = 2;", "+let a = 3;", "+let b = 4;"])));
    const marks = lines.map((line) => ("marks" in line ? marked(line.text, line.marks) : []));
    expect(marks).toEqual([["1"], ["2"], ["3"], ["4"]]);
  });
});

test("a line is compared with the one that is most like it, and not with what was put before that", () => {
  const { lines } = diffLines(
    diff(hunk(1, 1, ["-total += net * rate;", "+// A remark", "+total += round(net * rate);"])),
  );
  const marks = lines.map((line) => ("marks" in line ? marked(line.text, line.marks) : []));
  expect(marks).toEqual([[], [], ["round(", ")"]]);
});

test("pieces keep every character, colour and mark", () => {
  const spans = [{ text: "let ", colour: "keyword" as const }, { text: "a = 10;" }];
  const all = pieces(spans, [
    [2, 5],
    [8, 10],
  ]);
  expect(all.map((piece) => piece.text).join("")).toBe("let a = 10;");
  expect(all.filter((piece) => piece.isMarked).map((piece) => piece.text)).toEqual(["t ", "a", "10"]);
  expect(all[1]?.colour).toBe("keyword");
});

test("what is too long is cut, by its lines or by one of them; the longest file has limits too", () => {
  expect(limitOf(Array(400).fill("x".repeat(2000)))).toBeUndefined();
  expect(limitOf(Array(401).fill("x"))).toEqual({ words: "401 lines", isLong: false });
  expect(lineLimit(Array(401).fill("x"))).toBeUndefined();
  expect(lineLimit(["x", "x".repeat(2001)])).toEqual({ words: "a line has 2,001 characters", isLong: true });
  expect([headOf("short"), headOf("x".repeat(501)).length]).toEqual(["short", 501]);
  expect(limitOf(Array(500_000).fill(""))?.words).toMatch(/^500.k lines$/);
});

describe("a change that is proposed", () => {
  const file = "one\ntwo\n  three = 3;\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n";
  const edit = (old: string, come: string) => ({ old, new: come });
  const starts = (found: Diff | undefined) => found?.hunks.map(({ oldStart, newStart }) => [oldStart, newStart]);

  test("has the numbers of the lines that it is about", () => {
    const change = diff(hunk(0, 0, ["-three = 3", "+three = 4"]));
    const found = placed(change, [edit("three = 3", "three = 4")], file);
    expect(found).toEqual(diff(hunk(3, 3, ["-three = 3", "+three = 4"])));
    // However the lines of the file end.
    expect(placed(change, [edit("three = 3", "three = 4")], file.replaceAll("\n", "\r\n"))).toEqual(found);
  });

  test("has them in each of its parts, after lines that stay", () => {
    const old = file.replace("one\n", "");
    const come = old.replace("five", "5").replace("twelve", "12\n13");
    const first = [" ␣", " ␣", " ␣", "-five", "+5", " six"];
    const lines = first.map((line, at) => (line === " ␣" ? ` ${old.split("\n")[at]}` : line));
    const change = diff(hunk(0, 0, lines), hunk(0, 0, [" eleven", "-twelve", "+12", "+13"]));
    expect(starts(placed(change, [edit(old, come)], file))).toEqual([
      [2, 2],
      [11, 11],
    ]);
  });

  test("of several edits moves by what comes further up, in whichever order they are made", () => {
    const change = diff(hunk(0, 0, ["-ten", "+10"]), hunk(0, 0, ["-two", "+2", "+2.5"]));
    const edits = [edit("ten", "10"), edit("two", "2\n2.5")];
    expect(starts(placed(change, edits, file))).toEqual([
      [10, 11],
      [2, 2],
    ]);
  });

  test("has none where the file says something else, or says it twice, or nobody can tell", () => {
    const change = (old: string, come: string) => diff(hunk(0, 0, [`-${old}`, `+${come}`]));
    for (const old of ["thirteen", "e", ""]) expect(placed(change(old, "x"), [edit(old, "x")], file)).toBeUndefined();
    const both = diff(hunk(0, 0, ["-two", "+2"]), hunk(0, 0, ["-two", "-  three", "+x"]));
    expect(placed(both, [edit("two", "2"), edit("two\n  three", "x")], file)).toBeUndefined();
    const gone = diff(hunk(0, 0, ["-two"]), hunk(0, 0, ["-ten", "+10"]));
    expect(placed(gone, [edit("two", ""), edit("ten", "10")], file)).toBeUndefined();
    // Parts that are not those of the edits.
    expect(placed(change("two", "3"), [edit("two", "2")], file)).toBeUndefined();
    expect(placed(diff(), [edit("two", "2")], file)).toBeUndefined();
    expect(placed(change("two", "2"), [edit("two", "two")], file)).toBeUndefined();
  });

  test("is read from the input of the call", () => {
    const one = { old_string: "a\r\nb", new_string: "c" };
    expect(editsIn(JSON.stringify({ file_path: "/x", ...one }))).toEqual([edit("a\nb", "c")]);
    expect(editsIn(JSON.stringify({ edits: [one, { old_string: "d", new_string: "" }] }))).toEqual([
      edit("a\nb", "c"),
      edit("d", ""),
    ]);
    for (const json of ["", "null", "[]", '{"content": "x"}', '{"edits": [{"old_string": 1}]}', '{"edits": [null]}'])
      expect(editsIn(json), json).toBeUndefined();
  });
});
