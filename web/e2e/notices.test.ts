// May the page show notifications? What the settings say when nobody was asked yet, when it may, and when it may not; and that nobody
// is asked without a press.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { askedOn, comeBackWith, listenToNotices, throughWith, toldOn } from "./notices";
import type { Screen } from "./screen";
import { at, openSession, read, send, write } from "./session";
import { calls, says, turn } from "./story";

const bridge = bridgeForEach({
  turns: [
    turn([says("First answer.")]),
    turn([says("Second answer.")]),
    turn([calls("Bash", { command: "ls" }, "a.txt", { asks: true })], [says("Third answer.")]),
  ],
});

const NOT_ASKED = "This browser has not been asked yet.";
const MAY = "This browser may show notifications.";
const MAY_NOT = /^This browser was told not to show any\./;
const NONE_COMES = "None comes as long as the browser is not allowed to.";

async function settings({ page }: Screen): Promise<Locator> {
  const panel = page.getByRole("dialog");
  await panel.getByRole("heading", { name: "Notifications", level: 2 }).waitFor();
  return panel;
}

const allow = (panel: Locator) => panel.getByRole("button", { name: "Allow notifications" });

test("nobody is asked before he says so; then it is what he answers", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await listenToNotices(screen, { permission: "default", answer: "granted" });
  // A conversation, a turn that ends while one looks elsewhere, and a prompt: each would be worth telling.
  const id = await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  // Its end was seen here, and is not told later.
  await expect.poll(() => throughWith(page)).toBe(1);
  await at(screen, "#/inbox");
  await send(page, id, "More");
  await page.getByText("Done, unread").first().waitFor();
  await send(page, id, "And more");
  await page.getByRole("heading", { name: "1 needs you" }).waitFor();
  await expect.poll(() => throughWith(page)).toBe(3);
  await at(screen, "#/settings/notifications");
  const panel = await settings(screen);
  await panel.getByText(NOT_ASKED).waitFor();
  // What is wanted is not what comes, and each says so.
  await expect.poll(() => panel.getByText(NONE_COMES).count()).toBe(2);
  expect(await panel.getByRole("button", { name: "Show one" }).count()).toBe(0);
  expect([await askedOn(page), await toldOn(page)]).toEqual([0, []]);
  await screen.isGood();
  await allow(panel).click();
  await panel.getByText(MAY).waitFor();
  await expect.poll(() => askedOn(page)).toBe(1);
  expect(await panel.getByText(NONE_COMES).count()).toBe(0);
  expect(await allow(panel).count()).toBe(0);
  await screen.isGood();
  await panel.getByRole("button", { name: "Show one" }).click();
  await expect.poll(() => toldOn(page)).toEqual(["This is what a notification looks like."]);
});

test("who says no is told the way back, and is not asked again", async () => {
  const { screen } = bridge;
  const { page } = screen;
  await listenToNotices(screen, { permission: "default", answer: "denied" });
  await at(screen, "#/settings/notifications");
  const panel = await settings(screen);
  await allow(panel).click();
  await panel.getByText(MAY_NOT).waitFor();
  expect(await allow(panel).count()).toBe(0);
  await expect.poll(() => panel.getByText(NONE_COMES).count()).toBe(2);
  await screen.isGood();
  // A sound needs no leave, and what was wanted stays so for when it may.
  await expect.poll(() => panel.getByRole("switch", { name: "Sound" }).first().isEnabled()).toBe(true);
  await expect.poll(() => panel.getByRole("switch", { name: "Notification" }).first().isChecked()).toBe(true);
  // Allowed in the browser's own settings meanwhile: the page sees it when one comes back.
  await comeBackWith(page, "granted");
  await panel.getByText(MAY).waitFor();
  await comeBackWith(page, "denied");
  await panel.getByText(MAY_NOT).waitFor();
  await expect.poll(() => askedOn(page)).toBe(1);
});

test("a browser that may not is shown nothing, and one that may is", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  await listenToNotices(screen, { permission: "denied" });
  const id = await openSession(screen, deck.work);
  await write(screen, "Hello");
  await read(screen, "First answer.");
  await expect.poll(() => throughWith(page)).toBe(1);
  await at(screen, "#/settings/notifications");
  const panel = await settings(screen);
  await panel.getByText(MAY_NOT).waitFor();
  await at(screen, "#/inbox");
  await send(page, id, "More");
  // Seen, the one; not told, the other.
  await expect.poll(() => throughWith(page)).toBe(2);
  await comeBackWith(page, "granted");
  await send(page, id, "And more");
  // What is told now is the first thing that was told at all.
  await expect.poll(() => toldOn(page)).toEqual([expect.stringMatching(/^Needs permission/)]);
  expect(await askedOn(page)).toBe(0);
});
