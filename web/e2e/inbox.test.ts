// What needs somebody is triaged in the inbox, by keys and on a phone.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { Screen } from "./screen";
import { at, button, link, look, openSession, read, write } from "./session";
import { story } from "./sessions.story";

const bridge = bridgeForEach(story);

test("the inbox: joined where it may be, answered by keys", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const first = await openSession(screen, deck.work);
  await write(screen, "One");
  await button(screen, /^Allow once/).waitFor();
  await openSession(screen, deck.work);
  await write(screen, "Two");
  await button(screen, /^Allow once/).waitFor();
  await link(screen, /Inbox/).click();
  const both = page.getByRole("article").filter({ hasText: "cargo test in 2 sessions" });
  await both.waitFor();
  await page.getByRole("heading", { name: "2 need you" }).waitFor();
  await screen.isGood();
  await both.getByRole("button", { name: "Allow all 2 once" }).click();
  await page.getByText("Nothing needs you").first().waitFor();
  // What deletes is asked for each by itself.
  await look(screen, first);
  await read(screen, "All of them pass.");
  await write(screen, "Remove the notes");
  await button(screen, /^Allow once/).waitFor();
  await link(screen, /Inbox/).click();
  await page.getByText("deletes").waitFor();
  await screen.isGood();
  const card = page.locator("[data-card] form");
  await expect.poll(() => card.first().evaluate((form) => form.contains(document.activeElement))).toBe(true);
  // Also when nothing has the focus, the keys are for the card that is selected; one that is pressed too soon does nothing.
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await expect
    .poll(async () => {
      await page.keyboard.press("d");
      return page.getByText("Nothing needs you").first().isVisible();
    })
    .toBe(true);
  const outcome = await page.evaluate(async (id) => {
    type Page = { items: { body: { decision?: { outcome: string } } }[] };
    const { items } = (await (await fetch(`api/v1/sessions/${id}/items`)).json()) as Page;
    return items.flatMap(({ body }) => body.decision?.outcome ?? []);
  }, first);
  expect(outcome).toEqual(["allowed", "denied"]);
});

test("the keys of the inbox are those that one has chosen", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  for (const words of ["One", "Two"]) {
    await openSession(screen, deck.work);
    await write(screen, words);
    await button(screen, /^Allow once/).waitFor();
  }
  await page.evaluate(() =>
    fetch("api/v1/settings", {
      method: "PATCH",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ keybindings: { allowOnce: "Y" } }),
    }),
  );
  await at(screen, "#/inbox");
  await page.reload();
  await button(screen, "Allow all 2 once").waitFor();
  await expect.poll(() => page.locator(".card.sel .key kbd").first().textContent()).toBe("Y");
  const press = (key: string) => page.locator(".card.sel form").press(key);
  // The key that it had does nothing now, however long one waits: for the page, that was long ago.
  await page.evaluate(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
  });
  const answers: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") answers.push(request.url());
  });
  await press("a");
  expect(await page.locator(".card.sel form button:disabled").count()).toBe(0);
  expect(answers).toEqual([]);
  await press("y");
  await page.getByText("Nothing needs you").first().waitFor();
});

test("a phone has the inbox, the sessions and a new one", async () => {
  const { deck, screen } = bridge;
  await openSession(screen, deck.work);
  await write(screen, "One");
  await button(screen, /^Allow once/).waitFor();
  const phone = await Screen.open(await deck.anotherUrl(), { phone: true });
  try {
    await phone.page.getByRole("link", { name: /Inbox/ }).tap();
    await phone.page.getByRole("heading", { name: "1 needs you" }).waitFor();
    await phone.isGood();
    await phone.page.getByRole("button", { name: /^Allow once/ }).tap();
    await phone.page.getByText("Nothing needs you").first().waitFor();
    await phone.page.evaluate(() => {
      location.hash = "#/usage";
    });
    await phone.page.getByRole("heading", { name: "Usage" }).waitFor();
    await phone.page.getByRole("link", { name: "New" }).tap();
    await phone.page.getByRole("dialog", { name: "New session" }).waitFor();
    await phone.isGood();
  } finally {
    await phone.close();
  }
});
