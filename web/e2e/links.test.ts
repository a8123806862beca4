// Where a link of the agent leads, and what this browser keeps.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import type { Deck } from "./deck";
import type { Screen } from "./screen";
import { conversation, openSession, read, write } from "./session";
import { says, turn } from "./story";

const BANK = "http://evil.test/account?of=you";

const bridge = bridgeForEach({ turns: [turn([says(`That was all. [Our own bank](${BANK})`)])] });

test("a click shows the whole address first, and nothing that is kept lets anybody in", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "Go on");
  await read(screen, "That was all.");
  await linksSayWhereTheyLead(screen);
  await keepsNoSecret(screen, deck);
});

/** A click asks nothing of anybody; who then wants to goes there. */
async function linksSayWhereTheyLead(screen: Screen): Promise<void> {
  const { page, context } = screen;
  const asked: string[] = [];
  await context.route("http://evil.test/**", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ body: "elsewhere" });
  });
  const link = conversation(screen).getByRole("link", { name: "Our own bank" });
  const dialog = page.getByRole("dialog", { name: "This link leads elsewhere" });
  await link.click();
  await dialog.getByText(BANK, { exact: true }).waitFor();
  await screen.isGood();
  await dialog.getByRole("button", { name: "Stay here" }).click();
  await link.click({ button: "middle" });
  await dialog.waitFor();
  expect(asked).toEqual([]);
  // From here on somebody wants to go there.
  screen.foresee(/^asked elsewhere: http:\/\/evil\.test\//);
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Enter");
  const there = await opened;
  await there.getByText("elsewhere").waitFor();
  await expect.poll(() => there.evaluate(() => [document.referrer, window.opener])).toEqual(["", null]);
  expect(asked[0]).toBe(BANK);
  await there.close();
}

/** What this browser keeps: choices of its user, by these names. */
async function keepsNoSecret({ page, context }: Screen, { url }: Deck): Promise<void> {
  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    cookies: document.cookie,
  }));
  expect(kept).toEqual({ local: kept.local, session: {}, databases: [], caches: [], cookies: "" });
  const names = ["told", "own", "look", "notices", "palette", "inspector", "new"].map((name) => `quarterdeck.${name}`);
  expect(Object.keys(kept.local).filter((name) => !names.some((known) => name.startsWith(known)))).toEqual([]);
  const secrets = [new URL(url).hash.slice(1), ...(await context.cookies()).map(({ value }) => value)];
  expect(secrets.length).toBeGreaterThan(1);
  const text = JSON.stringify(kept.local);
  for (const secret of secrets) expect(text).not.toContain(secret);
}
