import { expect, test } from "vitest";
import { DraftPictures } from "../src/view/composer/draftPictures";
import { insertMark, joined, nextNumber, numbersOf, placeOf, removeMark } from "../src/view/composer/marks";
import type { Picture } from "../src/view/composer/pictures";
import { piecesOf } from "../src/view/item/pieces";

/** The caret is where the bar stands. */
function withMark(text: string, number: number): string {
  const made = insertMark(text.replace("|", ""), text.indexOf("|"), number);
  return `${made.text.slice(0, made.caret)}|${made.text.slice(made.caret)}`;
}

test("a picture is marked where one writes; before all words it needs no mark", () => {
  expect(withMark("See this|", 1)).toBe("See this [Picture 1] |");
  expect(withMark("See this | and that", 2)).toBe("See this [Picture 2]| and that");
  expect(withMark("a|b", 1)).toBe("a [Picture 1] |b");
  for (const first of ["|", "| See this", " \n|"]) expect(withMark(first, 1)).toBe(first);
});

test("the mark goes with its picture, and the gap that was made for it", () => {
  expect(removeMark("See [Picture 1] and [Picture 11]", 1)).toBe("See and [Picture 11]");
  expect(removeMark("See [Picture 1] ", 1)).toBe("See ");
  expect(removeMark("See [Picture 2]", 1)).toBe("See [Picture 2]");
});

test("a place is counted in characters, and leads back to the number", () => {
  const text = "Vögel 🐦 [Picture 2] und [Picture 1]";
  expect([placeOf(text, 2), placeOf(text, 1), placeOf(text, 3)]).toEqual([19, 35, undefined]);
  expect(numbersOf(text, [undefined, 19, 35])).toEqual([3, 2, 1]);
  expect(numbersOf("no marks", [undefined, 4])).toEqual([1, 2]);
  expect([nextNumber([]), nextNumber([{ number: 4 }, { number: 2 }])]).toEqual([1, 5]);
});

test("of two messages that become one, each picture keeps its mark", () => {
  const first = { text: "See [Picture 1]", pictures: [{ number: 1 }, { number: 2 }] };
  const second = { text: "And [Picture 1], not [Picture 9]", pictures: [{ number: 1 }] };
  expect(joined(first, second)).toEqual({
    text: "See [Picture 1]\n\nAnd [Picture 3], not [Picture 9]",
    pictures: [{ number: 1 }, { number: 2 }, { number: 3 }],
  });
  expect(joined({ text: "", pictures: [] }, second)).toEqual(second);
});

const image = (after?: number) => ({
  mediaType: "image/png",
  bytes: 1,
  seq: 1,
  pointer: `/${after}`,
  ...(after === undefined ? {} : { after }),
});

test("a message is shown in the order in which it was said", () => {
  const shown = (text: string, ...places: (number | undefined)[]) =>
    piecesOf(text, places.map(image)).map((piece) => (piece.kind === "words" ? piece.text : piece.images.length));
  expect(shown("What is it?")).toEqual(["What is it?"]);
  expect(shown("What is it?", undefined, undefined)).toEqual([2, "What is it?"]);
  expect(shown("Vögel:\nda\nund dort", undefined, 6, 9, 9)).toEqual([1, "Vögel:", 1, "da", 2, "und dort"]);
  expect(shown("", undefined)).toEqual([1]);
  // Of a long text there is only the head.
  expect(shown("The head", 4000)).toEqual(["The head", 1]);
});

const picture = (id: string, number: number): Picture => ({
  id,
  number,
  name: `${id}.png`,
  mediaType: "image/png",
  data: "AAAA",
  bytes: 3,
  url: "",
});

test("pictures of a draft are put on the server and taken from it, one at a time; what failed is tried again when asked", async () => {
  const done: string[] = [];
  const lost: string[] = [];
  let isDown = false;
  const kept = new DraftPictures(
    {
      put: async ({ id, number }) => {
        if (isDown) throw new Error("down");
        done.push(`put ${id} ${number}`);
      },
      remove: async (id) => {
        done.push(`remove ${id}`);
      },
    },
    ({ id }) => lost.push(id),
  );
  const settled = () => expect.poll(() => kept.areKept());
  kept.found([picture("old", 1)]);
  kept.note([picture("sea", 2), picture("sky", 3)]);
  await settled().toBe(true);
  await expect.poll(() => done).toEqual(["put sea 2", "put sky 3", "remove old"]);
  // Under another number it is put there anew; what is so already is left alone.
  kept.note([picture("sea", 1), picture("sky", 3)]);
  await expect.poll(() => done.slice(3)).toEqual(["put sea 1"]);
  isDown = true;
  kept.note([picture("sea", 1), picture("sky", 3), picture("sun", 4)]);
  await expect.poll(() => lost).toEqual(["sun"]);
  expect(kept.areKept()).toBe(false);
  isDown = false;
  kept.retry();
  await settled().toBe(true);
  expect(done.slice(4)).toEqual(["put sun 4"]);
});
