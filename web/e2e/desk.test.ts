// Settings, help, keys, the palette and notifications, with the scripted agent.

import { afterEach, beforeEach, expect, test } from "vitest";
import { Deck } from "./deck";
import { heardOn, listenToNotices, mute, pressLast, toldOn } from "./notices";
import { Screen } from "./screen";
import { button, composer, conversation, openSession, read, send, write } from "./session";
import { calls, says, turn } from "./story";

const story = {
  turns: [
    turn([says("First answer.")]),
    turn([says("Second answer.")]),
    turn([calls("Bash", { command: "ls" }, "a.txt", { asks: true })], [says("Third answer.")]),
  ],
};

let deck: Deck;
let screen: Screen;

beforeEach(async () => {
  deck = await Deck.start(story);
  screen = await Screen.open(deck.url);
});

afterEach(async () => {
  await screen.close();
  await deck.end();
});

const panel = () => screen.page.getByRole("dialog");
const header = (name: string) => screen.page.locator("header.head").getByRole("button", { name });

/** What the server says of a session. */
function stateOf(id: string): Promise<Record<string, unknown>> {
  return screen.page.evaluate(async (session) => {
    const answer = await fetch(`api/v1/sessions/${session}/state`);
    return ((await answer.json()) as { state: { status: Record<string, unknown> } }).state.status;
  }, id);
}

/** What a key does while nobody types. */
async function press(keys: string): Promise<void> {
  await screen.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await screen.page.keyboard.press(keys);
}

test("a session's settings are changed while it runs, and the header says so", async () => {
  const id = await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  await composer(screen).press("Control+,");
  await panel().getByRole("heading", { name: "Settings of this session" }).waitFor();
  await screen.isGood();
  const model = (name: string) => panel().getByRole("radiogroup", { name: "Model" }).getByRole("radio", { name });
  await model("Haiku").click();
  await header("Model: Haiku").waitFor({ state: "attached" });
  await expect.poll(() => model("Haiku").getAttribute("aria-checked")).toBe("true");
  const mode = (name: string) => panel().getByRole("radiogroup", { name: "Permissions" }).getByRole("radio", { name });
  await mode("Plan only").click();
  await header("Permissions: Plan only").waitFor({ state: "attached" });
  await panel().getByRole("radio", { name: "High", exact: true }).click();
  // A model that always thinks is not asked to stop; one that can be is.
  const off = panel().getByRole("radio", { name: "Off", exact: true });
  await panel().getByText("This model cannot be kept from thinking.").waitFor();
  await expect.poll(() => off.isDisabled()).toBe(true);
  await model("Claude-sonnet-4-5").click();
  await header("Model: Sonnet 4.5").waitFor({ state: "attached" });
  await off.click();
  await panel().getByRole("switch", { name: "Answer faster, for more money" }).check();
  await expect.poll(() => stateOf(id)).toMatchObject({ effort: "high", thinking: "off", fastMode: "on" });
  await expect
    .poll(() =>
      panel()
        .getByText(/Accepted/)
        .count(),
    )
    .toBe(0);
  // What the agent refuses is said, and nothing pretends otherwise.
  await mode("Automatic").click();
  await panel()
    .getByText(/It was not changed/)
    .waitFor();
  await expect.poll(() => mode("Plan only").getAttribute("aria-checked")).toBe("true");
  // A model by its full name.
  await panel().getByRole("textbox", { name: "Another model, by its full name" }).fill("claude-own-9-9");
  await button(screen, "Use it").click();
  await header("Model: Own 9.9").waitFor({ state: "attached" });
  await screen.isGood();
  await screen.page.keyboard.press("Escape");
  await expect.poll(() => panel().count()).toBe(0);
  expect(screen.page.url()).toMatch(/#\/s\/[^/]+$/);
});

test("commands that only a terminal has open panels, and nothing of them is sent", async () => {
  await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  const said = await conversation(screen).locator(".you").count();
  for (const [command, title] of [
    ["/config", "Settings of this session"],
    ["/help", "What this agent can do"],
    ["/keybindings-help", "Keys"],
  ] as const) {
    await composer(screen).fill(`${command} `);
    await composer(screen).press("Enter");
    await panel().getByRole("heading", { name: title, level: 2 }).waitFor();
    expect(await composer(screen).inputValue()).toBe("");
    await screen.page.keyboard.press("Escape");
    await expect.poll(() => panel().count()).toBe(0);
  }
  await expect.poll(() => conversation(screen).locator(".you").count()).toBe(said);
  // Picked from the list, one press is enough.
  await composer(screen).fill("/hel");
  await screen.page.getByRole("option", { name: /^\/help/ }).waitFor();
  await composer(screen).press("Enter");
  await panel().getByRole("heading", { name: "What this agent can do" }).waitFor();
  await panel().getByRole("searchbox").fill("shell");
  await panel().getByText("Runs a command in a shell").waitFor();
  await screen.isGood();
});

test("keys are changed by pressing others, clashes are not kept, and they hold after a reload", async () => {
  await openSession(screen, deck.work);
  await press("?");
  await panel().getByRole("heading", { name: "Keys", level: 2 }).waitFor();
  await screen.isGood();
  const change = (words: string) => panel().getByRole("button", { name: `Change the keys for ${words}` });
  await change("New session").click();
  await screen.page.keyboard.press("j");
  await panel()
    .getByText(/“Next session” has these keys/)
    .waitFor();
  await expect.poll(() => button(screen, "Keep").first().isDisabled()).toBe(true);
  await screen.page.keyboard.press("Control+f");
  await panel()
    .getByText(/find in the page/)
    .waitFor();
  await screen.page.keyboard.press("Alt+n");
  await screen.isGood();
  await screen.page.keyboard.press("Enter");
  await panel().getByRole("button", { name: "Reset the keys for New session" }).waitFor();
  await screen.page.reload();
  await panel().getByRole("heading", { name: "Keys", level: 2 }).waitFor();
  await panel().getByRole("button", { name: "Reset the keys for New session" }).waitFor();
  await screen.page.keyboard.press("Escape");
  await expect.poll(() => panel().count()).toBe(0);
  await press("n");
  expect(await panel().count()).toBe(0);
  await press("Alt+n");
  await panel().getByRole("heading", { name: "New session" }).waitFor();
  await screen.page.keyboard.press("Escape");
  await expect.poll(() => panel().count()).toBe(0);
  await press("?");
  await panel().getByRole("button", { name: "Reset all" }).click();
  await expect.poll(() => panel().getByRole("button", { name: "Reset all" }).isDisabled()).toBe(true);
});

test("the palette goes to sessions, panels and commands by a few letters", async () => {
  const first = await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  await openSession(screen, deck.work);
  const field = screen.page.getByRole("combobox");
  await composer(screen).press("Control+/");
  await field.waitFor();
  await screen.isGood();
  await screen.page.keyboard.press("Control+/");
  await expect.poll(() => field.count()).toBe(0);
  await screen.page.keyboard.press("Control+p");
  await field.fill("notif");
  await screen.page.keyboard.press("Enter");
  await panel().getByRole("heading", { name: "Notifications", level: 2 }).waitFor();
  await screen.page.keyboard.press("Escape");
  await expect.poll(() => panel().count()).toBe(0);
  await composer(screen).press("Control+p");
  // What was used last stands first.
  await expect.poll(() => screen.page.getByRole("option").first().textContent()).toContain("Notifications");
  await field.fill("Hello");
  await screen.page.getByRole("option", { name: /Session$/ }).waitFor();
  await screen.page.keyboard.press("Enter");
  await expect.poll(() => screen.page.url()).toContain(first);
  await composer(screen).press("Control+/");
  await field.fill("/compact");
  await screen.page.keyboard.press("Enter");
  await expect.poll(() => composer(screen).inputValue()).toBe("/compact ");
  await composer(screen).press("Control+/");
  await field.fill("zzzz");
  await screen.page.getByText(/Nothing found for/).waitFor();
  await screen.isGood();
});

test("a key pressed right after Escape goes to the page, not to the panel that was closed", async () => {
  const { page } = screen;
  await openSession(screen, deck.work);
  await page.evaluate(() => (location.hash = "#/settings/notifications"));
  await panel().getByRole("heading", { name: "Notifications", level: 2 }).waitFor();
  // Both before the browser comes to anything else.
  await page.evaluate(async () => {
    document.querySelector("dialog")?.dispatchEvent(new Event("cancel", { cancelable: true }));
    await Promise.resolve();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "p", ctrlKey: true, bubbles: true, cancelable: true }));
  });
  await page.getByRole("combobox").waitFor();
  expect(await page.getByRole("heading", { name: "Notifications", level: 2 }).count()).toBe(0);
});

test("Ctrl+K folds what was said, and it can be shown again", async () => {
  await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  await composer(screen).press("Control+k");
  await conversation(screen)
    .getByText(/Cleared here/)
    .waitFor();
  expect(await conversation(screen).getByText("First answer.").count()).toBe(0);
  await screen.isGood();
  await write(screen, "More");
  await read(screen, "Second answer.");
  expect(await conversation(screen).getByText("First answer.").count()).toBe(0);
  await button(screen, "Show it again").click();
  await read(screen, "First answer.");
  await read(screen, "Second answer.");
});

test("what is the user's own is shown and kept: look, budget, devices, folders", async () => {
  await screen.page.goto(new URL("#/settings", screen.page.url()).href);
  await panel().getByRole("radio", { name: "Dark" }).click();
  await expect.poll(() => screen.page.locator("html").getAttribute("data-theme")).toBe("dark");
  await panel().getByRole("radio", { name: "Compact" }).click();
  await expect.poll(() => screen.page.locator("html").getAttribute("data-density")).toBe("compact");
  await panel().getByRole("link", { name: "Budgets" }).click();
  await panel().getByRole("textbox").fill("40");
  await button(screen, "Keep").click();
  await screen.page.getByText("of $40.00", { exact: false }).first().waitFor();
  await panel().getByRole("link", { name: "Devices" }).click();
  await panel().getByText("this browser").waitFor();
  await button(screen, "Make a link").click();
  const link = (await panel().locator(".copyline code").textContent()) ?? "";
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#\w+$/);
  await screen.isGood();
  const other = await Screen.open(link);
  await other.close();
  await panel().getByRole("link", { name: "Folders" }).click();
  await panel().getByText(deck.work).waitFor();
  await panel().getByRole("textbox").fill("/no/such/folder");
  await button(screen, "Allow").click();
  await panel()
    .getByText(/this is no folder/)
    .waitFor();
  await panel().getByRole("textbox").fill(deck.place);
  await button(screen, "Allow").click();
  await panel()
    .getByRole("button", { name: `Take back ${deck.place}`, exact: true })
    .click();
  await expect.poll(() => panel().getByText(deck.place, { exact: true }).count()).toBe(0);
  await screen.isGood();
});

test("presets are shown after a reload, also those that leave much to the CLI", async () => {
  const { page } = screen;
  await page.evaluate(
    (cwd) =>
      fetch("api/v1/settings", {
        method: "PATCH",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ presets: { Careful: { cwd } } }),
      }),
    deck.work,
  );
  await page.reload();
  await page.evaluate(() => (location.hash = "#/settings/presets"));
  await panel().getByText("Careful").waitFor();
  await expect.poll(() => panel().locator(".rows .hint").first().textContent()).toBe("work");
});

test("who looks elsewhere is told once, and what is clicked comes to the front", async () => {
  await listenToNotices(screen);
  const id = await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  // It was seen.
  expect(await toldOn(screen.page)).toEqual([]);
  const another = await Screen.open(await deck.anotherUrl());
  const say = (text: string) => send(another.page, id, text);
  await screen.page.evaluate(() => {
    location.hash = "#/";
  });
  // A second tab of the same browser hears of it as well, and does not tell it again, even where a tab is late to see what another
  // one has written down.
  const beLate = () => {
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (key) {
      return key === "quarterdeck.told" ? null : getItem.call(this, key);
    };
  };
  await screen.page.evaluate(beLate);
  const second = await screen.context.newPage();
  await second.addInitScript(beLate);
  await second.goto(screen.page.url());
  await second.getByRole("navigation", { name: "Main" }).waitFor();
  await say("More");
  const toldIn = async (page: typeof second) => (await toldOn(page)).map((body) => body.replace(/,.*/, ""));
  const all = async () => [...(await toldIn(screen.page)), ...(await toldIn(second))];
  await expect.poll(all).toEqual(["Finished"]);
  await say("And more");
  await expect.poll(async () => (await all()).length).toBe(2);
  expect((await all()).filter((words) => words.startsWith("Needs permission"))).toHaveLength(1);
  const teller = (await toldIn(screen.page)).some((words) => words.startsWith("Needs")) ? screen.page : second;
  await pressLast(teller);
  await expect.poll(() => teller.url()).toContain(id);
  await another.close();
});

test("who wants to hear it hears up for what needs him and down for what is finished", async () => {
  await listenToNotices(screen);
  const { page } = screen;
  const id = await openSession(screen, deck.work);
  const say = (text: string) => send(page, id, text);
  const heard = () => heardOn(page);
  const finished = [660, 495];
  const needsYou = [660, 880];
  const part = (name: string) => panel().getByRole("region", { name });
  const sound = (name: string) => part(name).getByRole("switch", { name: "Sound" });
  // Behind the panel is no session: one that stands there is seen.
  const at = (hash: string) => page.evaluate((to) => (location.hash = to), hash);
  await at("#/");
  await composer(screen).waitFor({ state: "detached" });
  await at("#/settings/notifications");
  // Nobody is surprised by a sound, and who switches it on hears which one it is.
  expect(await sound("A session has finished").isChecked()).toBe(false);
  await sound("A session has finished").check();
  await expect.poll(heard).toEqual(finished);
  await say("Hello");
  await expect.poll(heard).toEqual([...finished, ...finished]);
  // The one without the other.
  await sound("A session has finished").uncheck();
  await sound("A session needs you").check();
  await expect.poll(heard).toEqual([...finished, ...finished, ...needsYou]);
  await say("More");
  await expect.poll(async () => (await toldOn(page)).length).toBe(2);
  await expect.poll(() => heard()).toHaveLength(6);
  await say("And more");
  await expect.poll(heard).toEqual([...finished, ...finished, ...needsYou, ...needsYou]);
  await screen.isGood();
  await mute(page);
  await part("A session has finished").getByRole("button", { name: "Hear its sound" }).click();
  await part("A session has finished")
    .getByText("The browser made no sound. Is it allowed to for this page?")
    .waitFor();
  await expect.poll(() => heard()).toHaveLength(8);
  await screen.isGood();
});
