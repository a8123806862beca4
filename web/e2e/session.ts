// Sessions on a screen: started, opened, spoken to, as a person does it.

import type { Locator, Page } from "playwright-core";
import { expect, vi } from "vitest";
import type { Options } from "../src/api/server";
import type { Tab } from "../src/view/inspector/tabs";
import type { Screen } from "./screen";

/** Starts a session by the API, as the page does, and opens it. */
export async function openSession(screen: Screen, cwd: string, options: Partial<Options> = {}): Promise<string> {
  const id = await screen.page.evaluate(
    async (all) => {
      const answer = await fetch("api/v1/sessions", {
        method: "POST",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ options: all }),
      });
      return ((await answer.json()) as { session: string }).session;
    },
    { cwd, ...options },
  );
  await look(screen, id);
  return id;
}

/** Goes to a session. */
export async function look(screen: Screen, id: string): Promise<void> {
  await screen.page.evaluate((session) => {
    location.hash = `#/s/${session}`;
  }, id);
  await composer(screen).waitFor();
}

/** Goes to a place by the part of its address that is the page's own. */
export const at = (screen: Screen, hash: string): Promise<unknown> =>
  screen.page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Goes to the list of sessions and closes any open dialog or menu. */
export async function goHome(screen: Screen): Promise<void> {
  await at(screen, "#/");
  const open = screen.page.locator("dialog:modal, :popover-open");
  await expect
    .poll(async () => {
      if ((await open.count()) > 0) await screen.page.keyboard.press("Escape");
      return open.count();
    })
    .toBe(0);
}

/** The session that is open. */
export const here = (screen: Screen): string => new URL(screen.page.url()).hash.split("/")[2] ?? "";

export const composer = (screen: Screen): Locator => screen.page.getByRole("textbox", { name: "Message", exact: true });
export const conversation = (screen: Screen): Locator => screen.page.getByRole("log");
export const button = (screen: Screen, name: string | RegExp): Locator => screen.page.getByRole("button", { name });
export const link = (screen: Screen, name: string | RegExp): Locator => screen.page.getByRole("link", { name });

/** Writes to the agent. */
export async function write(screen: Screen, text: string): Promise<void> {
  // Nobody can write while a dialog is before it; one that was closed a moment ago may still be there.
  await screen.page.locator("dialog:modal").waitFor({ state: "detached" });
  await composer(screen).fill(text);
  await composer(screen).press("Enter");
}

/** Writes to the agent without the composer: whatever is open on the page stays so. */
export async function send(page: Page, id: string, text: string): Promise<void> {
  await page.evaluate(
    async ([session, words]) => {
      await fetch(`api/v1/sessions/${session}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-quarterdeck": "1" },
        body: JSON.stringify({ id: crypto.randomUUID(), text: words }),
      });
    },
    [id, text] as const,
  );
}

/** Sends prompts one by one and waits for each turn to end, with the session off screen: drawing long turns is slow. */
export async function runTurnsOffScreen(screen: Screen, id: string, prompts: readonly string[]): Promise<void> {
  const ended = () =>
    screen.page.evaluate(
      async (session) => ((await (await fetch(`api/v1/sessions/${session}`)).json()) as { turns: number }).turns,
      id,
    );
  await at(screen, "#/");
  for (const prompt of prompts) {
    const before = await ended();
    await send(screen.page, id, prompt);
    await vi.waitUntil(async () => (await ended()) > before, { timeout: 60_000 });
  }
}

/** Waits until words stand in the conversation. */
export async function read(screen: Screen, text: string | RegExp): Promise<void> {
  await conversation(screen).getByText(text).first().waitFor();
}

/** Waits for the end of the turn, which comes after its last words. */
export async function turnEnds(screen: Screen): Promise<void> {
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
}

/** What stands in the composer when it was empty and Up was pressed. What was taken away comes when the server has answered. */
export async function afterUp(screen: Screen): Promise<string> {
  await composer(screen).fill("");
  await composer(screen).press("ArrowUp");
  return composer(screen).inputValue();
}

/** Says something, and waits for the answer. */
export async function say(screen: Screen, answer: string): Promise<void> {
  await write(screen, "Go on");
  await read(screen, answer);
}

/** Unfolds what the last turn did. */
export async function openSteps(screen: Screen): Promise<void> {
  // Until it is over the last line to unfold is that of the turn before.
  await turnEnds(screen);
  const fold = conversation(screen)
    .getByRole("button", { name: /\d steps?/ })
    .last();
  await fold.waitFor();
  if ((await fold.getAttribute("aria-expanded")) === "false") await fold.click();
}

/** The lines of a change that went and came, as they are read out. */
export async function changedLines(change: Locator): Promise<string[]> {
  await change.waitFor();
  return change.locator(":is(.del, .add) > .c").allTextContents();
}

/** Opens a menu of the session's header, and chooses an entry. */
export async function choose(screen: Screen, menu: string | RegExp, entry: string | RegExp): Promise<void> {
  await screen.page.locator("header.head").getByRole("button", { name: menu }).click();
  const open = screen.page.getByRole("menu");
  await open
    .getByRole("menuitem", { name: entry })
    .or(open.getByRole("menuitemradio", { name: entry }))
    .click();
}

/** Opens a tab of the inspector, and gives what it shows. */
export async function inspect(screen: Screen, id: string, tab: Tab): Promise<Locator> {
  await screen.page.evaluate(
    ([session, name]) => {
      location.hash = `#/s/${session}/${name}`;
    },
    [id, tab] as const,
  );
  const pane = screen.page.getByRole("tabpanel", { name: new RegExp(`^${tab}`, "i") });
  await pane.waitFor();
  return pane;
}

/** What the agent itself wrote, of one kind, as the log has it; or what was written to it. */
export async function linesOf<T>(
  screen: Screen,
  id: string,
  type: string,
  from: "stdout" | "stdin" = "stdout",
): Promise<T[]> {
  const log = await screen.page.evaluate(
    async (session) => (await fetch(`api/v1/sessions/${session}/records`)).text(),
    id,
  );
  const records = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { source: string; line?: { type: string } });
  return records.filter(({ source, line }) => source === from && line?.type === type).map(({ line }) => line as T);
}
