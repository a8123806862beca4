// What surrounds the conversation, looked at in light, in dark and on a phone: the pages, the palette, and every dialog. A program looks
// for barriers in each, and the pictures are for people (`UPDATE_SCREENSHOTS=1`).

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Deck } from "./deck";
import { Demo } from "./demo";
import { picture } from "./pictures";
import { type Look, Screen } from "./screen";
import { at, button, composer, goHome, look, openSession, read, write } from "./session";
import { says, turn } from "./story";

let demo: Demo;
let deck: Deck;
/** A session of the deck in which something was said. */
let talked: string;

beforeAll(async () => {
  [demo, deck] = await Promise.all([Demo.start(), Deck.start({ turns: [turn([says("It is mended.")])] })]);
  const screen = await Screen.open(deck.url);
  talked = await openSession(screen, deck.work);
  await write(screen, "Mend the leak");
  await read(screen, "It is mended.");
  await screen.close();
  // As the demo is after a moment: four of its sessions wait for an answer.
  const other = await Screen.open(await demo.anotherUrl());
  await other.page.locator(".srow.needs").nth(3).waitFor();
  await other.close();
});

afterAll(async () => {
  await demo.end();
  await deck.end();
});

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).first().waitFor();
const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name }).waitFor();

type Show = (screen: Screen) => Promise<unknown>;

/** Each starts at the list of sessions, with nothing open. */
const IN_THE_DEMO: Record<string, Show> = {
  inbox: (screen) => at(screen, "#/inbox").then(() => heading(screen.page, /need you/)),
  search: async (screen) => {
    await at(screen, "#/search/order");
    await screen.page.getByText(/hits? in \d+ sessions?/).waitFor();
    await screen.page.locator("a.hit").first().waitFor();
  },
  "search-nothing": (screen) =>
    at(screen, "#/search/no%20such%20words").then(() => screen.page.getByText(/^Nothing found for/).waitFor()),
  usage: async (screen) => {
    await at(screen, "#/usage");
    await screen.page.locator("tr.lvl0").first().getByRole("button").click();
    await screen.page.locator("tr.lvl1").first().waitFor();
  },
  palette: async (screen) => {
    await screen.page.keyboard.press("Control+/");
    await screen.page.getByRole("option").first().waitFor();
  },
  "palette-nothing": async (screen) => {
    await screen.page.keyboard.press("Control+/");
    await screen.page.getByRole("combobox").fill("zzzz");
    await screen.page.getByText(/Nothing found for/).waitFor();
  },
};

const PANELS: Record<string, Show> = Object.fromEntries(
  ["look", "notifications", "devices", "folders", "presets", "budgets"].map((name) => [
    `panel-${name}`,
    (screen: Screen) => at(screen, `#/settings/${name}`).then(() => screen.page.getByRole("dialog").waitFor()),
  ]),
);

/** Opens what is asked about the session that was talked in. */
const ask =
  (entry: string, name: string): Show =>
  async (screen) => {
    await look(screen, talked);
    await screen.page
      .locator("header.head")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await screen.page.getByRole("menuitem", { name: entry }).click();
    await dialog(screen.page, name);
  };

const DIALOGS: Record<string, Show> = {
  new: (screen) => at(screen, "#/new").then(() => screen.page.locator(".command-line").waitFor()),
  resume: (screen) => at(screen, "#/new/resume").then(() => screen.page.getByText(/has no sessions/).waitFor()),
  fork: (screen) =>
    at(screen, "#/new/fork").then(() =>
      screen.page
        .getByRole("dialog")
        .getByRole("button", { name: /^Mend the leak/ })
        .waitFor(),
    ),
  delete: ask("Delete …", "Delete this session?"),
  rename: async (screen) => {
    await look(screen, talked);
    await screen.page.locator(".title-button").click();
    await screen.page.getByLabel("Title of the session").waitFor();
  },
  "rename-dialog": async (screen) => {
    await look(screen, talked);
    await composer(screen).press("Control+/");
    await screen.page.getByRole("combobox").fill("Rename");
    await screen.page.getByRole("option", { name: /^Rename/ }).click();
    await screen.page.getByRole("dialog").getByRole("textbox").waitFor();
  },
  summary: async (screen) => {
    await at(screen, `#/s/${talked}/context`);
    await button(screen, "New from summary").click();
    await dialog(screen.page, "New session from a summary");
  },
  settings: (screen) =>
    at(screen, `#/s/${talked}/settings`).then(() => dialog(screen.page, "Settings of this session")),
  help: (screen) => at(screen, `#/s/${talked}/help`).then(() => dialog(screen.page, "What this agent can do")),
  keys: (screen) => at(screen, `#/s/${talked}/keys`).then(() => dialog(screen.page, "Keys")),
};

const LOOKS: Record<string, Look> = { light: {}, dark: { theme: "dark" }, phone: { phone: true } };

describe.each(Object.entries(LOOKS))("in %s", (name, wanted) => {
  async function lookAtAll(where: Deck | Demo, shows: Record<string, Show>): Promise<void> {
    const screen = await Screen.open(await where.anotherUrl(), wanted);
    for (const [state, show] of Object.entries(shows)) {
      await goHome(screen);
      await show(screen);
      expect([state, await screen.barriers()]).toEqual([state, []]);
      await screen.picture(picture(`page-${state}-${name}`));
    }
    expect(screen.faults).toEqual([]);
    await screen.close();
  }

  test("the pages and the palette", () => lookAtAll(demo, IN_THE_DEMO));
  test("the dialogs about sessions", () => lookAtAll(deck, DIALOGS));
  test("the panels", () => lookAtAll(deck, PANELS));
});
