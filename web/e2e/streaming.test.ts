// A page that is loaded again, and a server that is killed, while words stream: none is lost, and none comes twice.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { conversation, linesOf, look, openSession, write } from "./session";

const bridge = bridgeForEach({ turns: [[{ paced: { deltas: 400, every_ms: 15 } }]] });

type Said = { message: { content: { type: string; text?: string }[] } };

test("words that stream are all there, whatever happens to the page and the server", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const words = async () =>
    (await conversation(screen).locator(".k-text").allTextContents()).join(" ").match(/\d{6,}/g);
  const count = async () => (await words())?.length ?? 0;
  const isStreaming = () => page.getByRole("button", { name: "Stop the turn" }).isVisible();
  const id = await openSession(screen, deck.work);
  await write(screen, "Go");
  await expect.poll(count).toBeGreaterThan(5);
  await page.reload();
  await look(screen, id);
  await expect.poll(count).toBeGreaterThan(5);
  const before = await count();
  await expect.poll(count).toBeGreaterThan(before);
  expect(await isStreaming()).toBe(true);
  await deck.kill();
  await page
    .getByText(/Offline since/)
    .first()
    .waitFor();
  await deck.serve();
  await page.getByText("Live", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  const lines = await linesOf<Said>(screen, id, "assistant");
  const said = lines.flatMap(({ message }) => message.content.map((block) => block.text ?? ""));
  expect(await words()).toEqual(said.join(" ").match(/\d{6,}/g));
  expect(await count()).toBe(400);
});
