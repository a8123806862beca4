// What a person meets on a slow machine, or behind a bad line: what was pressed is not lost, and nothing is done twice.

import { afterEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { Screen } from "./screen";
import {
  button,
  composer,
  conversation,
  inspect,
  look,
  openSession,
  openSteps,
  read,
  runTurnsOffScreen,
  write,
} from "./session";
import { calls, says, turn } from "./story";

let deck: Deck | undefined;
let screen: Screen | undefined;

afterEach(async () => {
  await screen?.close();
  await deck?.end();
});

const long = (name: string) => Array.from({ length: 60 }, (_, line) => `${name} ${line}`).join("\n\n");

/** Keeps the page busy for so long, as soon as this key was pressed. */
const stallAfter = (on: Screen, key: string, ms: number): Promise<void> =>
  on.page.evaluate(
    ([wanted, length]) => {
      const stall = (event: KeyboardEvent) => {
        if (event.key !== wanted) return;
        removeEventListener("keydown", stall);
        const end = performance.now() + length;
        while (performance.now() < end);
      };
      addEventListener("keydown", stall);
    },
    [key, ms] as const,
  );

test("who goes to the beginning stays there, however slow the machine is", async () => {
  deck = await Deck.start({ turns: ["First", "Second", "Third"].map((name) => turn([says(long(name))])) });
  screen = await Screen.open(deck.url);
  const id = await openSession(screen, deck.work);
  for (const name of ["First", "Second", "Third"]) {
    await write(screen, `Say the ${name}`);
    await read(screen, `${name} 59`);
  }
  await look(screen, id);
  await stallAfter(screen, "Home", 1500);
  await conversation(screen).press("Home");
  const mine = conversation(screen).locator(".k-user").first();
  await mine.getByText("Say the First").waitFor();
  // It is known that he left the end, so that what comes does not take him back there.
  await screen.page.getByRole("button", { name: /^Jump to latest/ }).waitFor();
  expect(await mine.evaluate((row) => row.getBoundingClientRect().top)).toBeGreaterThan(0);
});

/** Messages of the server from these words on reach the page just before or just after it handles this key. */
async function holdUntil(on: Screen, key: string, words: string, order: "before" | "after"): Promise<void> {
  await on.context.addInitScript(
    ([wanted, first, capture]) => {
      let held: (() => void)[] | undefined = [];
      const setter = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage")?.set;
      Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(this: WebSocket, take: (message: MessageEvent) => void) {
          const later = (message: MessageEvent) => {
            const isEarlier = held?.length === 0 && !String(message.data).includes(first);
            if (held === undefined || isEarlier) return take.call(this, message);
            document.documentElement.dataset.held = "true";
            held.push(() => take.call(this, message));
          };
          setter?.call(this, later);
        },
      });
      const press = (event: KeyboardEvent) => {
        if (event.key !== wanted) return;
        for (const come of held ?? []) come();
        held = undefined;
      };
      addEventListener("keydown", press, { capture });
    },
    [key, words, order === "before"] as const,
  );
  await on.page.reload();
}

/** A page whose server holds a long second answer back until this key is pressed. */
async function openHeld(first: string, key: string, order: "before" | "after"): Promise<Screen> {
  deck = await Deck.start({ turns: [first, long("Second")].map((words) => turn([says(words)])) });
  const on = await Screen.open(deck.url);
  screen = on;
  await holdUntil(on, key, "Second 59", order);
  await openSession(on, deck.work);
  await write(on, "Speak");
  await read(on, first.split("\n").at(-1) ?? "");
  await write(on, "Go on");
  await on.page.locator("html[data-held]").waitFor({ state: "attached" });
  return on;
}

test("who goes to the beginning gets there, also when the page has just gone to its end", async () => {
  const on = await openHeld("First", "Home", "before");
  await conversation(on).press("Home");
  await conversation(on).locator(".k-user").getByText("Speak").waitFor();
  await button(on, /^Jump to latest/).waitFor();
});

test("new messages do not take the reader back to the end right after Home is pressed", async () => {
  const on = await openHeld(long("First"), "Home", "after");
  await conversation(on).press("Home");
  await button(on, /^Jump to latest/).waitFor();
  await expect.poll(() => conversation(on).evaluate((log) => log.scrollTop)).toBeLessThan(10);
});

const below = (on: Screen) =>
  conversation(on).evaluate((log) => Math.round(log.scrollHeight - log.scrollTop - log.clientHeight));

test("new messages right after End is pressed are followed", async () => {
  const on = await openHeld(long("First"), "End", "after");
  await conversation(on).press("Home");
  await button(on, /^Jump to latest/).waitFor();
  await conversation(on).press("End");
  await read(on, "Second 59");
  await button(on, "Stop the turn").waitFor({ state: "hidden" });
  await expect.poll(() => below(on)).toBeLessThan(40);
  expect(await button(on, /^Jump to latest/).count()).toBe(0);
});

test("End leads to the end of the last answer, also from its middle", async () => {
  deck = await Deck.start({ turns: [turn([says(long("First"))])] });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await write(screen, "Speak");
  await read(screen, "First 59");
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
  await screen.page.mouse.move(700, 400);
  await screen.page.mouse.wheel(0, -300);
  await button(screen, /^Jump to latest/).waitFor();
  await conversation(screen).press("End");
  await button(screen, /^Jump to latest/).waitFor({ state: "hidden" });
  await expect.poll(() => below(screen as Screen)).toBeLessThan(40);
});

const cell = (name: string) => `<cell id="${name}">${"print(1)\n".repeat(40)}</cell id="${name}">`;
const notebook = calls("Read", { file_path: "/project/nb.ipynb" }, cell("a") + cell("b"), {
  gives_value: { type: "notebook", file: { filePath: "/project/nb.ipynb" } },
});

test("what is opened at the end stays in its place, however long it takes to come", async () => {
  deck = await Deck.start({ turns: [turn([says(long("First"))]), turn([notebook], [says("I have read it.")])] });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await write(screen, "Speak");
  await read(screen, "First 59");
  await write(screen, "Read it");
  await read(screen, "I have read it.");
  await openSteps(screen);
  // The part of the page that draws it is on its way for a while.
  let go = (): void => {};
  const isHeld = new Promise<void>((held) => {
    void screen?.page.route(/\/Notebook-[^/]*\.js$/, async (route) => {
      held();
      await new Promise<void>((done) => (go = done));
      await route.continue();
    });
  });
  const step = conversation(screen).getByRole("button", { name: /^Read .*nb\.ipynb/ });
  await step.click();
  await isHeld;
  await screen.isGood();
  const top = () => step.evaluate((row) => Math.round(row.getBoundingClientRect().top));
  const before = await top();
  go();
  await conversation(screen).locator(".notebook > .cell").first().waitFor();
  await button(screen, /^Jump to latest/).waitFor();
  expect(await top()).toBe(before);
});

test("who goes to the end stays there, wherever the page scrolls by itself then", async () => {
  deck = await Deck.start({ turns: ["First", "Second"].map((name) => turn([says(long(name))])) });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await write(screen, "Speak");
  await read(screen, "First 59");
  await conversation(screen).press("Home");
  await button(screen, /^Jump to latest/).waitFor();
  await conversation(screen).press("End");
  await button(screen, /^Jump to latest/).waitFor({ state: "hidden" });
  // As when rows that are measured only now are smaller than was thought.
  await conversation(screen).evaluate(async (log) => {
    log.scrollTop -= 200;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });
  expect(await button(screen, /^Jump to latest/).count()).toBe(0);
  await write(screen, "Go on");
  await read(screen, "Second 59");
});

test("what is unfolded above what is read goes nowhere, not for a moment", async () => {
  deck = await Deck.start({ turns: [turn([calls("Read", { file_path: "/a" }, "1")], [says(long("First"))])] });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await write(screen, "Speak");
  await read(screen, "First 59");
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
  await conversation(screen).press("Home");
  const fold = button(screen, /^1 step/);
  await fold.waitFor();
  const tops = await fold.evaluate(async (row: HTMLElement) => {
    const top = () => Math.round(row.getBoundingClientRect().top);
    const seen = [top()];
    row.click();
    for (let frame = 0; frame < 20; frame++) {
      await new Promise(requestAnimationFrame);
      seen.push(top());
    }
    return seen;
  });
  expect(new Set(tops).size, tops.join(" ")).toBe(1);
  await conversation(screen).getByRole("button", { name: /^Read/ }).waitFor();
});

test("what is pressed while the page still scrolls is pressed", async () => {
  deck = await Deck.start({ turns: [turn([calls("Read", { file_path: "/a" }, "1")], [says(long("First"))])] });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await write(screen, "Speak");
  await read(screen, "First 59");
  // The last words come before the end of the turn, which draws its steps anew.
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
  await conversation(screen).press("Home");
  await openSteps(screen);
  const step = conversation(screen).getByRole("button", { name: /^Read/ });
  await step.waitFor();
  const found = await step.evaluate(async (row) => {
    const log = row.closest("[role=log]");
    const frame = () => new Promise(requestAnimationFrame);
    const seen: boolean[] = [];
    // Frame by frame, a little further each time.
    for (let moved = 0; moved < 10; moved++) {
      log?.scrollBy(0, 2);
      await frame();
      await frame();
      const { left, top, width, height } = row.getBoundingClientRect();
      seen.push(row.contains(document.elementFromPoint(left + width / 2, top + height / 2)));
    }
    return seen;
  });
  expect(found).toEqual(Array(10).fill(true));
});

test("a part of the page that cannot be loaded takes nothing else along", async () => {
  deck = await Deck.start({ turns: [turn([says("Hello")])] });
  screen = await Screen.open(deck.url);
  const { page } = screen;
  await openSession(screen, deck.work);
  await composer(screen).fill("Half a sentence");
  await page.route(/FoundInside/, (route) => route.abort());
  await button(screen, "Find sessions").click();
  await page.getByRole("searchbox", { name: /^Find sessions/ }).fill("hello");
  await page.getByText("This part of the page could not be loaded").waitFor();
  await expect.poll(() => composer(screen as Screen).inputValue()).toBe("Half a sentence");
});

test("that a session was read is told once", async () => {
  deck = await Deck.start({ turns: [turn([says("Hello")])] });
  screen = await Screen.open(deck.url);
  const { page } = screen;
  const marks: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH" && request.postData()?.includes("seenSeq")) marks.push(request.url());
  });
  await openSession(screen, deck.work);
  await write(screen, "Say hello");
  await read(screen, "Hello");
  await expect.poll(() => marks.length).toBe(1);
  // Away and back, and once more.
  const comeBack = () => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")));
  await comeBack();
  await comeBack();
  // What was said before has arrived when this has.
  await Promise.all([page.waitForResponse(/about/), page.evaluate(() => fetch("api/v1/about"))]);
  expect(marks.length).toBe(1);
});

test("records that could not be read are read when one tries again, and the one that is wanted last is shown", async () => {
  const many = Array.from({ length: 60 }, (_, at) => turn([says(long(`Turn ${at}`))]));
  deck = await Deck.start({ turns: many });
  screen = await Screen.open(deck.url);
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  await runTurnsOffScreen(
    screen,
    id,
    many.map((_, at) => `Number ${at}`),
  );
  let isDown = true;
  const held: (() => void)[] = [];
  await page.route(/\/records\?/, async (route) => {
    if (isDown) return route.abort();
    await new Promise<void>((go) => held.push(go));
    return route.continue().catch(() => {});
  });
  const pane = await inspect(screen, id, "raw");
  await pane.getByRole("alert").waitFor();
  isDown = false;
  await button(screen, "Try again").click();
  await expect.poll(() => pane.getByRole("alert").count()).toBe(0);
  // The page for the end is still on its way when somebody comes for the first record.
  await expect.poll(() => held.length).toBe(1);
  await page.evaluate((session) => (location.hash = `#/s/${session}/raw/1`), id);
  await expect.poll(() => held.length).toBe(2);
  for (const go of held) go();
  await pane.locator("#record-1").waitFor();
});

test("who goes elsewhere while a session is started is not fetched back", async () => {
  deck = await Deck.start({ turns: [turn([says("Hello")])] });
  screen = await Screen.open(deck.url);
  const { page } = screen;
  const here = await openSession(screen, deck.work);
  let go = (): void => {};
  await page.route(/\/api\/v1\/sessions$/, async (route) => {
    await new Promise<void>((done) => (go = done));
    await route.continue();
  });
  await page.evaluate(() => (location.hash = "#/new"));
  await page.getByLabel("First message").fill("Begin");
  await Promise.all([page.waitForRequest(/\/api\/v1\/sessions$/), button(screen, /^Start session/).click()]);
  await button(screen, "Cancel").click();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/s/${here}`);
  const answer = page.waitForResponse(/\/api\/v1\/sessions$/);
  go();
  await (await answer).finished();
  // It is there, in the list; and what was written for it is not offered again.
  await expect.poll(() => page.locator(".list a.srow").count()).toBe(2);
  expect(new URL(page.url()).hash).toBe(`#/s/${here}`);
  await page.evaluate(() => (location.hash = "#/new"));
  expect(await page.getByLabel("First message").inputValue()).toBe("");
});

test("the focus goes back to where it was when the palette is left", async () => {
  deck = await Deck.start({ turns: [turn([says("Hello")])] });
  screen = await Screen.open(deck.url);
  await openSession(screen, deck.work);
  await composer(screen).fill("Half a sentence");
  await composer(screen).press("Control+/");
  await screen.page.getByRole("combobox").press("Escape");
  await screen.page.getByRole("combobox").waitFor({ state: "detached" });
  await expect.poll(() => composer(screen as Screen).evaluate((field) => field === document.activeElement)).toBe(true);
});

test("a panel that fails takes nothing else along", async () => {
  deck = await Deck.start({ turns: [turn([says("Hello")])] });
  screen = await Screen.open(deck.url);
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  await page.route(/\/api\/v1\/settings$/, (route) =>
    route.fulfill({ json: { keybindings: {}, presets: { Odd: { cwd: 5 } }, budgets: {} } }),
  );
  screen.foresee(/replace is not a function/);
  await page.reload();
  await composer(screen).fill("Half a sentence");
  await page.evaluate((session) => (location.hash = `#/s/${session}/settings/presets`), id);
  const failed = page.getByRole("dialog", { name: "This part of the page failed" });
  await failed.waitFor();
  expect(await screen.barriers()).toEqual([]);
  await failed.getByRole("button", { name: "Close" }).click();
  await failed.waitFor({ state: "detached" });
  await expect.poll(() => composer(screen as Screen).inputValue()).toBe("Half a sentence");
});
