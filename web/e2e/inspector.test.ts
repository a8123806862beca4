// The inspector, with an agent that has something for each of its tabs: beside the conversation, in its place, on a phone; by
// pointer and by keyboard.

import type { Locator } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { story } from "./inspector.story";
import { picture } from "./pictures";
import { type Look, Screen } from "./screen";
import { button, conversation, look, openSession, openSteps, read, write } from "./session";

let deck: Deck;
let screen: Screen;
let session: string;

beforeEach(async () => {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
  session = await openSession(screen, deck.work);
  await write(screen, "Change the version everywhere");
  await read(screen, "All of it is under way.");
});

afterEach(async () => {
  await screen.close();
  await deck.end();
});

const inspector = (): Locator => screen.page.getByRole("complementary", { name: "Inspector" });
const tab = (name: string): Locator => inspector().getByRole("tab", { name: new RegExp(`^${name}`) });
const pane = (): Locator => inspector().getByRole("tabpanel");

async function open(name: string): Promise<void> {
  await screen.page.evaluate(([id, where]) => (location.hash = `#/s/${id}/${where}`), [session, name.toLowerCase()]);
  await expectTab(name);
}

async function expectTab(name: string): Promise<void> {
  await inspector().locator(`[role=tab][aria-selected=true]:has-text("${name}")`).waitFor();
}

test("each figure of the header opens its tab, and closes it again", async () => {
  await button(screen, /^Cost/).click();
  await expectTab("Cost");
  await button(screen, /^Context/).click();
  await expectTab("Context");
  await button(screen, /^Context/).click();
  await inspector().waitFor({ state: "detached" });
  await button(screen, "Open inspector").click();
  await expectTab("Context");
  // As it was left, in the next session as well, and after the page was loaded again.
  await screen.page.evaluate((id) => (location.hash = `#/s/${id}`), session);
  await screen.page.reload();
  await expectTab("Context");
  await screen.isGood();
});

test("the keys of tabs go from tab to tab, with one stop for all", async () => {
  await open("Tasks");
  await tab("Tasks").focus();
  await screen.page.keyboard.press("ArrowRight");
  await expectTab("Files");
  await screen.page.keyboard.press("End");
  await expectTab("Raw");
  await expect.poll(() => screen.page.evaluate(() => document.activeElement?.textContent)).toBe("Raw");
  expect(await screen.page.evaluate(() => location.hash)).toMatch(/\/raw$/);
  await screen.page.keyboard.press("ArrowRight");
  await expectTab("Tasks");
  await expect.poll(() => inspector().locator("[role=tab][tabindex='0']").count()).toBe(1);
});

test("tasks: how far each is, what it waits for, agents and jobs", async () => {
  await open("Tasks");
  await pane().getByText("1 of 3 done").waitFor();
  await pane().getByText("Running the tests", { exact: true }).waitFor();
  await pane().getByText("by tester · blocks 3").waitFor();
  await pane().getByText("Waits for 2").waitFor();
  await pane().getByRole("button", { name: "Write a note" }).click();
  await pane().getByText("Write a note, in all places").waitFor();
  await pane().getByRole("checkbox", { name: "By status" }).check();
  await pane().getByRole("heading", { name: "Blocked 1" }).waitFor();
  await pane().getByRole("region", { name: "Agents" }).getByText("Look at the tests").waitFor();
  await screen.isGood();
  const jobs = pane().getByRole("region", { name: "Background" });
  await jobs.getByText("Running", { exact: true }).waitFor();
  await jobs.getByRole("button", { name: "Output" }).click();
  await jobs.getByText("ok 2").waitFor();
  await jobs.getByText("The last part of 87.9 KB").waitFor();
  await screen.isGood();
  await jobs.getByRole("button", { name: "Stop Long job" }).click();
  await jobs.getByText(/^Stopped/).waitFor();
  // To the call, in a turn that was folded.
  await pane().getByRole("button", { name: "Show in conversation: Look at the tests" }).click();
  await conversation(screen).locator(".trow:focus", { hasText: "Look at the tests" }).waitFor();
});

test("context: how full, what fills it, and compacting", async () => {
  await open("Context");
  await pane().getByText("162,000 of 200,000 tokens").waitFor();
  await pane().getByText("Little room is left.").waitFor();
  await pane()
    .getByRole("row", { name: /^Messages 150/ })
    .waitFor();
  await pane().getByText("Compacts by itself at 84").waitFor();
  await pane()
    .getByRole("button", { name: /^Memory files/ })
    .click();
  await pane().getByText("/project/CLAUDE.md").waitFor();
  await pane()
    .getByRole("button", { name: /^Agents/ })
    .click();
  await pane().getByText("reviewer").waitFor();
  await screen.isGood();
  await pane().getByRole("button", { name: "Say what to keep" }).click();
  await pane().getByRole("textbox", { name: "What to keep" }).fill("the plan");
  await pane().getByRole("button", { name: "Compact", exact: true }).click();
  await expect.poll(() => records("/compact the plan")).toBeGreaterThan(0);
});

test("cost: rows add up to the sum, and turns are found", async () => {
  await write(screen, "And now?");
  await read(screen, "Nothing more.");
  await open("Cost");
  await pane().getByRole("region", { name: "By turn" }).getByText("And now?").waitFor();
  const sum = await money(pane().locator(".pane-figure strong"));
  const turns = await pane().locator(".pane-fold-meta").allTextContents();
  expect(turns).toHaveLength(2);
  expect(turns.reduce((all, text) => all + Number(text.replace("$", "")), 0)).toBeCloseTo(sum, 8);
  await pane()
    .getByRole("button", { name: /And now\?/ })
    .first()
    .click();
  await pane().getByText("50 k cache read").first().waitFor();
  const limits = pane().getByRole("region", { name: "Limits of the plan" });
  await limits.getByText("5 hours").waitFor();
  await limits
    .getByText(/^Begins anew at \d\d:\d\d, in [23]\sh/)
    .first()
    .waitFor();
  await screen.isGood();
});

test("MCP: states in words, tools, and a refusal in the agent’s own words", async () => {
  await open("MCP");
  for (const words of ["Connected", "Failed", "Wants you to log in", "Switched off"]) {
    await pane().getByText(words, { exact: true }).waitFor();
  }
  await pane().getByText("ENOENT: no such file").waitFor();
  await pane()
    .getByText(/^Log in once in a terminal: start claude in this folder, type \/mcp and choose tracker\./)
    .waitFor();
  await pane().getByRole("button", { name: "2 tools" }).click();
  await pane().getByText("Finds repositories by name").waitFor();
  await pane().getByText("may destroy").waitFor();
  await screen.isGood();
  // This agent knows no such servers when it comes to changing them.
  await pane().getByRole("switch", { name: "GitHub is used" }).click();
  await pane()
    .getByText(/Server not found: github/)
    .waitFor();
});

test("MCP: what the agent says of its servers moves nothing under a finger", async () => {
  const { page } = screen;
  const tools = pane().getByRole("button", { name: "2 tools" });
  // From now on the state knows of them.
  await open("MCP");
  await tools.waitFor();
  await open("Files");
  let say = (): void => {};
  let isAsked = (): void => {};
  const asked = new Promise<void>((done) => (isAsked = done));
  await page.route(/\/mcp$/, async (route) => {
    const isSaid = new Promise<void>((done) => (say = done));
    isAsked();
    await isSaid;
    await route.continue();
  });
  await open("MCP");
  await asked;
  await pane().getByText("Asking the agent").waitFor();
  const isOpen = () => tools.getAttribute("aria-expanded");
  const before = await isOpen();
  const top = () => tools.evaluate((button) => button.getBoundingClientRect().top);
  const place = await top();
  await tools.hover();
  await page.mouse.down();
  const said = page.waitForResponse(/\/mcp$/);
  say();
  await (await said).finished();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await top()).toBe(place);
  await page.mouse.up();
  await expect.poll(isOpen).toBe(before === "true" ? "false" : "true");
  // What was said is shown then.
  await expect.poll(top).toBeGreaterThan(place);
  await page.unroute(/\/mcp$/);
});

test("files: all changes of each, in order, and the way to the call", async () => {
  await open("Files");
  await pane().getByRole("heading", { name: "3 files" }).waitFor();
  await pane().getByRole("button", { name: /a\.ts/ }).click();
  const changes = pane().locator(".file-change");
  await expect.poll(() => changes.count()).toBe(2);
  await expect.poll(() => changes.locator(".dl.add .c").allTextContents()).toEqual(["added: new", "added: two"]);
  await screen.isGood();
  await changes
    .last()
    .getByRole("button", { name: /^Show in conversation/ })
    .click();
  await conversation(screen).locator(".trow:focus", { hasText: "two" }).waitFor();
});

test("rules: those in force, and those that were granted here", async () => {
  await write(screen, "And now?");
  await read(screen, "Nothing more.");
  await write(screen, "Test it");
  await button(screen, /^Allow once/).waitFor();
  await screen.page.getByRole("radio", { name: /in this project/ }).click();
  await button(screen, /^Allow and save rule/).click();
  await read(screen, "They pass.");
  await open("Rules");
  await pane().getByRole("heading", { name: "Ask first" }).waitFor();
  const granted = pane().getByRole("region", { name: "Granted in this session" });
  await granted.getByText(/Bash\(npm test\)/).waitFor();
  await granted.getByText(/^Allowed by you, \d\d:\d\d$/).waitFor();
  const named = (group: string) => pane().getByRole("region", { name: group }).locator("li");
  // Rules granted in this session show at once; the others appear when the agent has reported them.
  await named("Always denied").first().waitFor();
  await expect.poll(() => named("Always denied").locator("code").allTextContents()).toEqual(["Bash(rm -rf:*)"]);
  await named("Always denied")
    .getByText(/^all your projects/)
    .waitFor();
  await expect.poll(() => named("Always asked").locator("code").allTextContents()).toEqual(["Bash(git push:*)"]);
  await expect.poll(() => named("Allowed").locator("code").allTextContents()).toEqual(["Bash(npm test:*)"]);
  await named("Folders").getByText("/project/other").waitFor();
  await screen.isGood();
});

test("raw: the log is filtered, followed and opened; an item leads to its record", async () => {
  await open("Raw");
  const lines = pane().locator(".rec-line");
  await lines.first().waitFor();
  await pane().getByRole("searchbox", { name: "Find in records" }).fill("TaskCreate");
  await expect.poll(() => lines.count()).toBeLessThan(8);
  await lines.filter({ hasText: "TaskCreate {" }).first().click();
  await pane().getByText("activeForm:").first().waitFor();
  await screen.isGood();
  await pane().getByRole("searchbox", { name: "Find in records" }).fill("");
  await pane().getByRole("combobox", { name: "Kind of record" }).selectOption("result success");
  await expect.poll(() => lines.count()).toBe(1);
  // What comes now is there by itself.
  await pane().getByRole("checkbox", { name: "Follow" }).check();
  await write(screen, "And now?");
  await read(screen, "Nothing more.");
  await expect.poll(() => lines.count()).toBe(2);
  await conversation(screen).getByRole("button", { name: "Show raw record" }).last().dispatchEvent("click");
  await pane().locator(".rec.marked.open").waitFor();
  await screen.isGood();
});

test("a notebook is read cell by cell, and a changed cell shows what changed", async () => {
  // When the turn has ended it folds, whatever was open in it.
  await openSteps(screen);
  await conversation(screen)
    .getByRole("button", { name: /^Read .*nb\.ipynb/ })
    .click();
  const cells = conversation(screen).locator(".notebook > .cell");
  await cells.nth(1).locator("em", { hasText: "title" }).waitFor();
  await expect.poll(() => cells.first().locator(".cell-output pre").textContent()).toBe("1");
  const change = conversation(screen).locator(".well.cell");
  await change.getByText("Replaces the cell").waitFor();
  await expect
    .poll(() => change.locator(".dl .c").allTextContents())
    .toEqual(["removed: print(1)", "added: print(2)", "x = 3"]);
  await screen.isGood();
});

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { theme: "dark" },
  narrow: { width: 860 },
  phone: { phone: true },
};

test.each(Object.entries(LOOKS))("every tab, %s", async (name, wanted) => {
  const other = await Screen.open(await deck.anotherUrl(), wanted);
  const first = screen;
  screen = other;
  try {
    await look(screen, session);
    for (const each of ["Tasks", "Files", "Context", "Cost", "MCP", "Rules", "Raw"]) {
      await open(each);
      await pane().waitFor();
      // Its records are drawn a moment after it.
      if (each === "Raw") await pane().locator(".rec-line").first().waitFor();
      expect([each, await screen.barriers()]).toEqual([each, []]);
      await screen.picture(picture(`inspector-${each.toLowerCase()}-${name}`));
    }
    if (name === "phone" || name === "narrow") {
      await button(screen, "Back to the conversation").click();
      await conversation(screen).waitFor();
      await inspector().waitFor({ state: "detached" });
    }
  } finally {
    await other.close();
    screen = first;
  }
});

async function money(place: Locator): Promise<number> {
  return Number((await place.textContent())?.replace("$", ""));
}

/** How many records say this. */
function records(text: string): Promise<number> {
  return screen.page.evaluate(
    async ([id = "", words = ""]) =>
      (await (await fetch(`api/v1/sessions/${id}/records`)).text()).split(words).length - 1,
    [session, text],
  );
}
