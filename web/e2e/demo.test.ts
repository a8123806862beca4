// The demo, as somebody sees it who tries Quarterdeck: every kind of card and question, in light and dark, on a desk and on a phone.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Demo } from "./demo";
import { picture } from "./pictures";
import { type Look, Screen } from "./screen";
import { look as lookAt, openSteps, read } from "./session";

let demo: Demo;

beforeAll(async () => {
  // Five times as fast as a model writes: what takes a minute there is to be seen to its end.
  demo = await Demo.start("--pace", "20");
});

afterAll(async () => {
  await demo.end();
});

/** Waits until a prompt asks about something. */
const asked = (screen: Screen, words: string): Promise<void> =>
  screen.page.locator("form.ask", { hasText: words }).waitFor();

/** Each session, and what it is there to show. All of that stays: a moment that passes would be gone on a slow machine. */
const SESSIONS: Record<string, { title: string; shows: (screen: Screen) => Promise<void> }> = {
  question: {
    title: "Payment methods for the new checkout",
    shows: (screen) => asked(screen, "Which payment methods should be there at launch?"),
  },
  plan: {
    title: "Search that forgives typos",
    shows: (screen) => asked(screen, "PostgreSQL finds similar words by trigrams"),
  },
  command: {
    title: "Slow order history",
    shows: (screen) => asked(screen, "npm run db:migrate -- --env staging --only 0042"),
  },
  edit: {
    title: "Cart total one cent off",
    shows: (screen) => asked(screen, "total += net + Math.round(net * rate);"),
  },
  agents: {
    title: "Accessibility review of the shop",
    shows: async (screen) => {
      await read(screen, "Nine findings, four of them severe:");
      await openSteps(screen);
      for (const lane of ["the checkout", "the catalogue", "the account pages"]) await read(screen, `Review ${lane}`);
    },
  },
  error: {
    title: "Import of supplier prices",
    shows: (screen) => read(screen, /prompt is too long: 211408 tokens/),
  },
  jobs: {
    title: "Upgrade to Node 24",
    // The job in the background ends after a while, and the agent goes on.
    shows: (screen) => read(screen, /^(Two of four steps are done|The browser tests are through)/),
  },
  compaction: {
    title: "Guide to returns for the support team",
    shows: async (screen) => {
      await read(screen, /^The guide is in/);
      await openSteps(screen);
      await read(screen, /^Context compacted by itself/);
    },
  },
};

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { theme: "dark" },
  phone: { phone: true },
};

/** The sessions by their titles. */
function titles(screen: Screen): Promise<Record<string, string>> {
  return screen.page.evaluate(async () => {
    const { sessions } = (await (await fetch("api/v1/sessions")).json()) as {
      sessions: { id: string; title: string }[];
    };
    return Object.fromEntries(sessions.map(({ id, title }) => [title, id]));
  });
}

test.each(Object.entries(LOOKS))("every session, %s", async (name, look) => {
  const screen = await Screen.open(await demo.anotherUrl(), look);
  // As it is after a moment: four of them wait for an answer.
  await screen.page.locator(".srow.needs").nth(3).waitFor();
  await screen.isGood();
  await screen.picture(picture(`list-${name}`));
  const ids = await titles(screen);
  for (const [kind, { title, shows }] of Object.entries(SESSIONS)) {
    await lookAt(screen, ids[title] ?? "");
    await screen.page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await shows(screen);
    expect([kind, await screen.barriers()]).toEqual([kind, []]);
    await screen.picture(picture(`${kind}-${name}`));
  }
  await screen.close();
});
