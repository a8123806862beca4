// The demo, as somebody sees it who tries Quarterdeck: every kind of card and question, in light and dark, on a desk and on a phone.
// `UPDATE_SCREENSHOTS=1` puts the pictures of it into `docs/screenshots/`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Demo } from "./demo";
import { closeBrowser, type Look, Screen } from "./screen";
import { look as lookAt } from "./session";

/** Not the ones that are kept, unless somebody says so: a test should not change what is in the repository. */
const isKept = process.env["UPDATE_SCREENSHOTS"] !== undefined;
const pictures = join(import.meta.dirname, isKept ? "../../docs/screenshots" : "../../target/screenshots");

let demo: Demo;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  demo = await Demo.start();
});

afterAll(async () => {
  await demo.end();
  await closeBrowser();
});

const SESSIONS = {
  question: "Payment methods for the new checkout",
  plan: "Search that forgives typos",
  command: "Slow order history",
  edit: "Cart total one cent off",
  agents: "Accessibility review of the shop",
  error: "Import of supplier prices",
  jobs: "Upgrade to Node 24",
  compaction: "Guide to returns for the support team",
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
  await screen.page.locator(".srow").first().waitFor();
  await screen.isGood();
  await screen.picture(join(pictures, `list-${name}.png`));
  const ids = await titles(screen);
  for (const [kind, title] of Object.entries(SESSIONS)) {
    await lookAt(screen, ids[title] ?? "");
    await screen.page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await screen.page.getByRole("log").locator("[data-row], article, .step, .you").first().waitFor();
    if (kind === "question" || kind === "plan" || kind === "command" || kind === "edit") {
      await screen.page
        .getByText(/^waiting/i)
        .first()
        .waitFor();
    }
    expect([kind, await screen.barriers()]).toEqual([kind, []]);
    await screen.picture(join(pictures, `${kind}-${name}.png`));
  }
  expect(screen.faults).toEqual([]);
  await screen.close();
});
