// Where one writes: what waits for the end of a turn or goes into it, files, earlier prompts, pictures, drafts, keys of an input
// method.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Response } from "playwright-core";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import {
  afterUp,
  at,
  button,
  choose,
  composer,
  conversation,
  linesOf,
  look,
  openSession,
  read,
  write,
} from "./session";
import { says, turn } from "./story";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const bridge = bridgeForEach({
  turns: [
    [...turn([says("I begin.")]), { wait_for: "control_request/set_model" }, ...turn([says("I am done.")])],
    ...["second", "third", "fourth"].map((name) => turn([says(`The ${name} answer.`)])),
  ],
});

const chips = (): Locator => bridge.screen.page.getByRole("list", { name: "Queued messages" }).getByRole("listitem");
const waiting = (): Promise<string[]> => chips().locator(".cut").allTextContents();
const mine = (words: string): Locator => conversation(bridge.screen).locator(".k-user", { hasText: words });
const text = (): Promise<string> => composer(bridge.screen).inputValue();

test("what waits for the turn is edited, moved, dropped or sent at once, and goes out when the turn has ended", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "Begin");
  await read(screen, "I begin.");
  for (const words of ["One", "Two", "Three", "Four"]) await write(screen, words);
  await expect.poll(waiting).toEqual(["One", "Two", "Three", "Four"]);
  // Left with Escape it is as it was; with Enter it is another.
  await button(screen, "Edit queued message 2").click();
  const edited = screen.page.getByRole("textbox", { name: "Queued message 2" });
  await edited.fill("Nonsense");
  await edited.press("Escape");
  await expect.poll(waiting).toEqual(["One", "Two", "Three", "Four"]);
  await button(screen, "Edit queued message 2").click();
  await edited.fill("Two, but better");
  await screen.isGood();
  await edited.press("Enter");
  await expect.poll(waiting).toEqual(["One", "Two, but better", "Three", "Four"]);
  await button(screen, /^Move queued message 3/).press("ArrowUp");
  await expect.poll(waiting).toEqual(["One", "Three", "Two, but better", "Four"]);
  await chips().nth(0).dragTo(chips().nth(1));
  await expect.poll(waiting).toEqual(["Three", "One", "Two, but better", "Four"]);
  // What was dropped is a key away.
  await button(screen, "Drop queued message 4").click();
  await expect.poll(waiting).toEqual(["Three", "One", "Two, but better"]);
  await expect.poll(() => afterUp(screen)).toBe("Four");
  await composer(screen).fill("");
  await screen.isGood();
  // Into the turn that runs: one that waited, and one with the key for it.
  await button(screen, "Send queued message 2 now").click();
  await expect.poll(waiting).toEqual(["Three", "Two, but better"]);
  await composer(screen).fill("Right now");
  await composer(screen).press("Control+Enter");
  const sent = screen.page.getByRole("list", { name: "Messages that the agent has not taken yet" });
  await sent.getByText("One", { exact: true }).waitFor();
  await sent.getByText("Right now").waitFor();
  await screen.isGood();
  // It waits in the host, not in the page.
  await screen.page.reload();
  await expect.poll(waiting).toEqual(["Three", "Two, but better"]);
  await choose(screen, /^Model/, /^Haiku/);
  for (const words of ["One", "Right now", "Three", "Two, but better"]) await mine(words).waitFor();
  await read(screen, "The third answer.");
  await expect.poll(() => chips().count()).toBe(0);
});

test("after an interrupt what waits is asked about", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "Begin");
  await read(screen, "I begin.");
  await write(screen, "Later");
  await expect.poll(waiting).toEqual(["Later"]);
  await button(screen, "Stop the turn").click();
  await screen.page.getByText("The last turn was interrupted. Send what waits?").waitFor();
  await expect.poll(() => waiting()).toEqual(["Later"]);
  await screen.isGood();
  await screen.page.locator(".paused").getByRole("button", { name: "Send" }).click();
  await mine("Later").waitFor();
  await read(screen, "The second answer.");
  await expect.poll(() => chips().count()).toBe(0);
});

test("files, earlier prompts, hints, and a draft that a reload keeps", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  for (const file of ["src/main.rs", "src/lib.rs", "a name with spaces.md", "target/main.o"]) {
    mkdirSync(join(deck.work, file, ".."), { recursive: true });
    writeFileSync(join(deck.work, file), "");
  }
  mkdirSync(join(deck.work, ".git"));
  writeFileSync(join(deck.work, ".gitignore"), "target\n");
  await openSession(screen, deck.work);
  const files = page.getByRole("listbox", { name: "Files" });
  const active = files.locator('[aria-selected="true"]');
  await composer(screen).pressSequentially("Look at @main");
  await files.getByRole("option", { name: "main.rs" }).waitFor();
  // What git ignores is not offered.
  expect(await files.getByRole("option", { name: "main.o" }).count()).toBe(0);
  await screen.isGood();
  await composer(screen).press("Enter");
  await expect.poll(() => text()).toBe("Look at @src/main.rs ");
  await composer(screen).pressSequentially("and @");
  await expect.poll(() => files.getByRole("option").count()).toBeGreaterThan(2);
  const before = await active.textContent();
  await composer(screen).press("ArrowDown");
  await expect.poll(() => active.textContent()).not.toBe(before);
  await composer(screen).press("ArrowUp");
  await expect.poll(() => active.textContent()).toBe(before);
  await composer(screen).pressSequentially("spaces");
  await expect.poll(() => active.textContent()).toContain("a name with spaces.md");
  await composer(screen).press("Tab");
  await expect.poll(() => text()).toBe('Look at @src/main.rs and @"a name with spaces.md" ');
  await composer(screen).pressSequentially("@nowhere");
  await page.getByText("No file fits").waitFor();
  // Escape closes the list and leaves the words.
  await composer(screen).press("Escape");
  await files.waitFor({ state: "detached" });
  await expect.poll(() => text()).toMatch(/@nowhere$/);

  await composer(screen).fill("Begin");
  await composer(screen).press("Enter");
  await read(screen, "I begin.");
  await choose(screen, /^Model/, /^Haiku/);
  await read(screen, "I am done.");
  await write(screen, "Go on");
  await read(screen, "The second answer.");
  // What Escape takes away is what Up brings first, also where Up had brought it before.
  for (const [key, words] of [
    ["ArrowUp", "Go on"],
    ["Escape", ""],
    ["ArrowUp", "Go on"],
    ["ArrowUp", "Begin"],
  ] as const) {
    await composer(screen).press(key);
    await expect.poll(text).toBe(words);
  }
  // Up through what was said, Down back to what one had begun.
  await composer(screen).fill("half a thought");
  await composer(screen).press("Home");
  for (const [key, words] of [
    ["ArrowUp", "Go on"],
    ["ArrowUp", "Begin"],
    ["ArrowDown", "Go on"],
    ["ArrowDown", "half a thought"],
  ] as const) {
    await composer(screen).press(key);
    await expect.poll(text).toBe(words);
  }
  await page.reload();
  await expect.poll(text).toBe("half a thought");
  // What a command wants after its name.
  await composer(screen).fill("/debug ");
  await page.locator(".argument", { hasText: "/debug [arguments]" }).waitFor();
  await screen.isGood();
});

test("what is no longer looked for is not chosen, however long the answer takes", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  for (const file of ["apple.md", "pear.md"]) writeFileSync(join(deck.work, file), "");
  await openSession(screen, deck.work);
  await composer(screen).pressSequentially("Eat @p");
  const options = page.getByRole("listbox", { name: "Files" }).getByRole("option");
  await expect.poll(() => options.count()).toBe(2);
  await page.route("**/files?*", () => {});
  await composer(screen).pressSequentially("e");
  await expect.poll(() => options.count()).toBe(2);
  await composer(screen).pressSequentially("ar");
  await expect.poll(() => options.count()).toBe(1);
  await composer(screen).press("Enter");
  await expect.poll(() => text()).toBe("Eat @pear.md ");
});

test("a reload keeps what was typed, also where the page is faster than its last words", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await openSession(screen, deck.work);
  // What it says while it goes comes late: never.
  await page.evaluate(() => {
    const tell = window.fetch;
    window.fetch = (to, how) => (how?.method === "PUT" ? new Promise(() => {}) : tell(to, how));
  });
  await composer(screen).fill("half a thought");
  const isSaved = (response: Response) =>
    response.request().method() === "PUT" && response.url().endsWith("/draft") && response.ok();
  const saved = page.waitForResponse(isSaved);
  await page.reload();
  await expect.poll(text).toBe("half a thought");
  // From here it goes to the server.
  await saved;
  await page.reload();
  await expect.poll(text).toBe("half a thought");
});

test("who types on before the page is drawn again loses no letter", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  mkdirSync(join(deck.work, "src"));
  writeFileSync(join(deck.work, "src/main.rs"), "");
  await openSession(screen, deck.work);
  await composer(screen).pressSequentially("Look at @main.r");
  await expect
    .poll(() => page.getByRole("listbox", { name: "Files" }).getByRole("option").allTextContents())
    .toHaveLength(1);
  // A page that is too busy to draw.
  await page.evaluate(() => {
    const held: FrameRequestCallback[] = [];
    Object.assign(window, { held, drawFrame: window.requestAnimationFrame });
    window.requestAnimationFrame = (call) => held.push(call);
  });
  await composer(screen).press("Enter");
  await composer(screen).pressSequentially("an");
  await page.evaluate(() => {
    const { held, drawFrame } = window as unknown as {
      held: FrameRequestCallback[];
      drawFrame: typeof requestAnimationFrame;
    };
    window.requestAnimationFrame = drawFrame;
    for (const call of held) call(performance.now());
  });
  await composer(screen).pressSequentially("d go");
  await expect.poll(() => text()).toBe("Look at @src/main.rs and go");
});

const pictures = (): Locator => bridge.screen.page.getByRole("list", { name: "Pictures to send" });

/** Holds a file over something, by default over where one writes, and drops it there. Does the page keep the browser from it? */
async function drop(name: string, base64: string, where = ".composer"): Promise<boolean> {
  return bridge.screen.page.locator(where).evaluate(
    (place, [file, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], file));
      const isKept = (type: string) =>
        !place.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }));
      const isOverKept = isKept("dragover");
      return isKept("drop") && isOverKept;
    },
    [name, base64] as const,
  );
}

test("a picture that is attached before the draft has come is there once", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const isKept = (answer: Response) => answer.request().method() === "PUT" && answer.url().includes("/draft/pictures/");
  const kept = page.waitForResponse(isKept);
  // What was kept before the server answers is in its answer.
  await page.route(/\/draft$/, async (route) => {
    if (route.request().method() === "GET") await kept;
    await route.continue();
  });
  const asked = page.waitForResponse((answer) => /\/draft$/.test(answer.url()) && answer.request().method() === "GET");
  await openSession(screen, deck.work);
  await drop("sea.png", PIXEL);
  await (await asked).finished();
  await composer(screen).pressSequentially("Here:");
  await drop("sky.png", PIXEL);
  await pictures().getByRole("img", { name: "sky.png" }).waitFor();
  await expect.poll(() => pictures().getByRole("img").count()).toBe(2);
  await expect.poll(text).toBe("Here: [Picture 2] ");
});

test("a picture that is dropped goes along, and what is none is refused", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await openSession(screen, deck.work);
  await drop("notes.png", btoa("no picture at all"));
  await page
    .getByRole("alert")
    .getByText(/^notes\.png is no PNG/)
    .waitFor();
  expect(await pictures().count()).toBe(0);
  await drop("sea.png", PIXEL);
  await pictures().getByRole("img", { name: "sea.png" }).waitFor();
  await drop("sky.png", PIXEL);
  await button(screen, "Remove sky.png").click();
  await screen.isGood();
  await write(screen, "What is this?");
  await mine("What is this?").locator(".thumb img").waitFor();
  await expect.poll(() => mine("What is this?").locator(".thumb").count()).toBe(1);
  expect(await pictures().count()).toBe(0);
});

test("a file that is dropped beside where one writes goes along, and none makes the browser leave the page", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  // Before a dialog nobody sees what would be attached behind it.
  await at(screen, `#/s/${id}/settings`);
  await page.getByRole("dialog").waitFor();
  expect(await drop("behind.png", PIXEL, "dialog")).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const [name, place] of [
    ["sea.png", "[role=log]"],
    ["sky.png", "nav.rail"],
    ["sand.png", "body"],
  ] as const) {
    expect(await drop(name, PIXEL, place)).toBe(true);
    await pictures().getByRole("img", { name }).waitFor();
  }
  await expect.poll(() => pictures().getByRole("img").count()).toBe(3);
  expect(await page.locator(".composer.over").count()).toBe(0);
  for (const hash of ["#/usage", "#/inbox", "#/"]) {
    await at(screen, hash);
    await composer(screen).waitFor({ state: "detached" });
    expect([hash, await drop("stray.png", PIXEL, "body")]).toEqual([hash, true]);
  }
  await look(screen, id);
  await expect.poll(() => pictures().getByRole("img").count()).toBe(3);
});

/** Pastes a picture, and the words that it comes with; does the page take it, and not the browser? */
function paste(name: string, words: string): Promise<boolean> {
  return composer(bridge.screen).evaluate(
    (field, [file, bytes, plain]) => {
      const data = new DataTransfer();
      data.items.add(
        new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], file, { type: "image/png" }),
      );
      if (plain !== "") data.setData("text/plain", plain);
      return !field.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [name, PIXEL, words] as const,
  );
}

test("cells of a spreadsheet are pasted as the text that they are, a picture alone as a picture", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await composer(screen).focus();
  expect(await paste("cells.png", "Sea\t1\nSky\t2")).toBe(false);
  expect(await paste("sea.png", "")).toBe(true);
  await pictures().getByRole("img", { name: "sea.png" }).waitFor();
  await expect.poll(() => pictures().getByRole("img").count()).toBe(1);
});

type Said = { message: { content: { type: string; text?: string }[] } };

test("pictures stay where they were put among the words, also when the page is loaded again", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  await composer(screen).pressSequentially("Compare");
  await drop("sea.png", PIXEL);
  await expect.poll(text).toBe("Compare [Picture 1] ");
  await composer(screen).pressSequentially("with");
  await drop("none.png", PIXEL);
  await expect.poll(text).toBe("Compare [Picture 1] with [Picture 2] ");
  // One that is taken out takes its mark along.
  await button(screen, "Remove none.png").click();
  await expect.poll(text).toBe("Compare [Picture 1] with ");
  await composer(screen).press("End");
  await drop("sky.png", PIXEL);
  await expect.poll(text).toBe("Compare [Picture 1] with [Picture 2] ");
  await composer(screen).pressSequentially("please");
  const words = "Compare [Picture 1] with [Picture 2] please";
  const kept = () =>
    page.evaluate(async (session) => {
      const answer = await fetch(`api/v1/sessions/${session}/draft`);
      const draft = (await answer.json()) as { text: string; pictures: { name: string }[] };
      return [draft.text, ...draft.pictures.map(({ name }) => name)];
    }, id);
  await expect.poll(kept).toEqual([words, "sea.png", "sky.png"]);
  await page.reload();
  await expect.poll(text).toBe(words);
  for (const name of ["sea.png", "sky.png"]) await pictures().getByRole("img", { name }).waitFor();
  await screen.isGood();
  await composer(screen).press("Enter");
  const shown = () =>
    mine("Compare")
      .locator(".you-in > :is(p, .pictures)")
      .evaluateAll((pieces) =>
        pieces.map((piece) => (piece.matches("p") ? piece.textContent : piece.querySelectorAll(".thumb").length)),
      );
  await expect.poll(shown).toEqual(["Compare [Picture 1]", 1, "with [Picture 2]", 1, "please"]);
  const [sent] = await linesOf<Said>(screen, id, "user", "stdin");
  expect(sent?.message.content.map((block) => block.text ?? block.type)).toEqual([
    "Compare [Picture 1]",
    "image",
    "with [Picture 2]",
    "image",
    "please",
  ]);
  // What was sent is not being typed any more.
  await expect.poll(kept).toEqual([""]);
  await screen.isGood();
});

test("Enter that chooses a word of an input method sends nothing", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await openSession(screen, deck.work);
  await composer(screen).focus();
  const input = await screen.context.newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "うみ", selectionStart: 2, selectionEnd: 2 });
  await expect.poll(text).toBe("うみ");
  await page.keyboard.press("Enter");
  await expect.poll(() => text()).toContain("うみ");
  await input.send("Input.insertText", { text: "海" });
  await expect.poll(text).toContain("海");
  expect(await conversation(screen).locator(".k-user").count()).toBe(0);
  await page.keyboard.press("Enter");
  await mine("海").waitFor();
});
