// What was spent, from the day to the turn.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { button, link, read, write } from "./session";
import { story, talkedSession } from "./sessions.story";

const bridge = bridgeForEach(story);

test("what was spent, from the day to the turn, adds up", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = await talkedSession(screen, deck.work);
  await write(screen, "Remove the notes");
  await button(screen, /^Deny/).first().click();
  await read(screen, "The notes are gone.");
  await link(screen, "Usage").click();
  const day = page.locator("tr.lvl0").first();
  await expect.poll(() => day.locator("td").first().textContent()).toBe("2");
  await day.getByRole("button").click();
  await page.locator("tr.lvl1").first().getByRole("button").click();
  await page.locator("tr.lvl2").nth(1).waitFor();
  await screen.isGood();
  const costs = async (rows: string) => {
    const cells = await page.locator(`${rows} td:last-child`).allTextContents();
    return cells.map((cell) => Number(cell.replace("$", ""))).reduce((sum, usd) => sum + usd, 0);
  };
  expect(await costs("tr.lvl2")).toBeCloseTo(await costs("tr.lvl1"), 3);
  expect(await costs("tr.lvl1")).toBeCloseTo(await costs("tr.lvl0"), 3);
  // And with what the session itself says.
  const said = await page.evaluate(async (session) => {
    return ((await (await fetch(`api/v1/sessions/${session}`)).json()) as { costUsd: number }).costUsd;
  }, id);
  expect(await costs("tr.lvl0")).toBeCloseTo(said, 3);
  const [kept] = await Promise.all([page.waitForEvent("download"), button(screen, "Export CSV").click()]);
  expect(kept.suggestedFilename()).toMatch(/^usage-.*\.csv$/);
  await page.getByRole("button", { name: "7 days" }).click();
  await page.locator("tr.lvl0").first().waitFor();
});
