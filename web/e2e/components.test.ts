// The fourteen components that the protocol asks of a page, one picture of each: `docs/components.md` shows them. What each of them
// does is tried where it is named there; here it is only looked at, in light and dark and on a phone.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Deck } from "./deck";
import { Demo } from "./demo";
import { story } from "./inspector.story";
import { picture } from "./pictures";
import { type Look, Screen } from "./screen";
import { at, button, composer, conversation, goHome, look, openSession, openSteps, read, write } from "./session";
import { says } from "./story";

let demo: Demo;
let deck: Deck;
/** One whose agent works on and on. */
let working: Deck;
let endless: string;
/** The session of the deck: it has tasks, servers, changes and a notebook. */
let busy: string;
/** The sessions of the demo, by their titles. */
let demos: Record<string, string>;

beforeAll(async () => {
  [demo, deck] = await Promise.all([Demo.start(), Deck.start(story)]);
  working = await Deck.start({ turns: [[{ message: { blocks: [says("I begin.")] } }, { hang: "listening" }]] });
  const other = await Screen.open(working.url);
  endless = await openSession(other, working.work);
  await write(other, "Work on and on");
  await read(other, "I begin.");
  await other.close();
  const screen = await Screen.open(deck.url);
  busy = await openSession(screen, deck.work);
  await write(screen, "Change the version everywhere");
  await read(screen, "All of it is under way.");
  await screen.close();
  const first = await Screen.open(await demo.anotherUrl());
  demos = await first.page.evaluate(async () => {
    type Listed = { sessions: { id: string; title: string }[] };
    const { sessions } = (await (await fetch("api/v1/sessions")).json()) as Listed;
    return Object.fromEntries(sessions.map(({ id, title }) => [title, id]));
  });
  await first.close();
});

afterAll(async () => {
  await demo.end();
  await deck.end();
  await working.end();
});

const named = (title: string): string => demos[title] ?? "";
const heading = (screen: Screen, name: string | RegExp) => screen.page.getByRole("heading", { name }).first().waitFor();
const panel = (screen: Screen) => screen.page.getByRole("tabpanel").waitFor();
const waiting = (screen: Screen) =>
  screen.page
    .getByText(/^waiting/i)
    .first()
    .waitFor();

type Show = (screen: Screen) => Promise<unknown>;

/** How to come to each: of the deck's session, or in the demo. Tabs come last, because the page remembers an open tab. */
const ON_THE_DECK: Record<string, Show> = {
  commands: async (screen) => {
    await look(screen, busy);
    await composer(screen).fill("/co");
    await screen.page.getByRole("listbox").waitFor();
  },
  notebook: async (screen) => {
    await look(screen, busy);
    // What the picture before it left there.
    await composer(screen).fill("");
    await openSteps(screen);
    await conversation(screen)
      .getByRole("button", { name: /^Read .*nb\.ipynb/ })
      .click();
    await conversation(screen).locator(".notebook > .cell").first().waitFor();
    const change = conversation(screen).locator(".well.cell");
    await change.waitFor();
    await change.scrollIntoViewIfNeeded();
  },
  sessions: async (screen) => {
    await at(screen, "#/new");
    const dialog = screen.page.getByRole("dialog");
    await dialog.getByLabel("First message").fill("Mend the leak below the waterline");
    await dialog.getByRole("button", { name: /More options/ }).click();
  },
  settings: (screen) => at(screen, `#/s/${busy}/settings`).then(() => heading(screen, "Settings of this session")),
  help: (screen) => at(screen, `#/s/${busy}/help`).then(() => heading(screen, "What this agent can do")),
  keys: (screen) => at(screen, `#/s/${busy}/keys`).then(() => heading(screen, /^Keys/)),
  context: (screen) => at(screen, `#/s/${busy}/context`).then(() => panel(screen)),
  cost: (screen) => at(screen, `#/s/${busy}/cost`).then(() => panel(screen)),
  tasks: (screen) => at(screen, `#/s/${busy}/tasks`).then(() => panel(screen)),
  mcp: (screen) => at(screen, `#/s/${busy}/mcp`).then(() => panel(screen)),
};

const IN_THE_DEMO: Record<string, Show> = {
  permission: (screen) => look(screen, named("Slow order history")).then(() => waiting(screen)),
  question: (screen) => look(screen, named("Payment methods for the new checkout")).then(() => waiting(screen)),
  diff: (screen) => look(screen, named("Cart total one cent off")).then(() => waiting(screen)),
};

const WHILE_IT_WORKS: Record<string, Show> = {
  escape: async (screen) => {
    await look(screen, endless);
    // Escape does nothing until the page knows that the agent is working.
    await button(screen, "Stop the turn").waitFor();
    await composer(screen).focus();
    // It warns for two seconds. A phone has no such key, and does not speak of it.
    const again = screen.page.getByText(/again/i);
    await expect
      .poll(async () => {
        if ((await again.count()) === 0) await composer(screen).press("Escape");
        return again.count();
      })
      .toBeGreaterThan(0);
  },
};

const LOOKS: Record<string, Look> = { light: {}, dark: { theme: "dark" }, phone: { phone: true } };

test.each(Object.entries(LOOKS))("every component, %s", async (name, wanted) => {
  for (const [where, shows] of [
    [deck, ON_THE_DECK],
    [demo, IN_THE_DEMO],
    [working, WHILE_IT_WORKS],
  ] as const) {
    const screen = await Screen.open(await where.anotherUrl(), wanted);
    for (const [component, show] of Object.entries(shows)) {
      await goHome(screen);
      await show(screen);
      expect([component, await screen.barriers()]).toEqual([component, []]);
      expect([component, screen.faults]).toEqual([component, []]);
      await screen.picture(picture(`component-${component}-${name}`));
    }
    await screen.close();
  }
});
