// A page that is loaded again, and a server that is killed, while words stream: none is lost, and none comes twice.

import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { choose, conversation, linesOf, look, openSession, write } from "./session";

const part = { paced: { deltas: 200, every_ms: 15 } };
const bridge = bridgeForEach({ turns: [[part, { wait_for: "control_request/set_model" }, part]] });

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
  await expect.poll(count).toBe(200);
  expect(await isStreaming()).toBe(true);
  await choose(screen, /^Model/, /^Haiku/);
  await expect.poll(count).toBeGreaterThan(205);
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
  await expect.poll(words).toEqual(said.join(" ").match(/\d{6,}/g));
  await expect.poll(count).toBe(400);
});
