// A session of a terminal: seen, watched, and taken over with a choice.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import type { Deck } from "./deck";
import type { Screen } from "./screen";
import { at, button, choose, composer, here, read, write } from "./session";
import { story } from "./sessions.story";

const bridge = bridgeForEach(story);

let other: ChildProcess | undefined;

afterEach(() => {
  other?.kill("SIGKILL");
  other = undefined;
});

/** What the server says of the session that is open. */
const phase = (screen: Screen) =>
  screen.page.evaluate(async (id) => {
    return ((await (await fetch(`api/v1/sessions/${id}`)).json()) as { phase: string }).phase;
  }, here(screen));

/** A conversation as a terminal leaves it. */
function transcript(deck: Deck, id: string): { path: string; say: (role: "user" | "assistant", text: string) => void } {
  const path = join(deck.place, ".claude", "projects", "-work", `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  let before: string | null = null;
  let number = 0;
  const say = (role: "user" | "assistant", text: string) => {
    number += 1;
    const uuid = `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;
    const message =
      role === "user"
        ? { role, content: text }
        : {
            id: `msg_${number}`,
            type: "message",
            role,
            model: "claude-opus-4-5",
            content: [{ type: "text", text }],
            stop_reason: "end_turn",
            usage: { input_tokens: 1, output_tokens: 1 },
          };
    const line = {
      parentUuid: before,
      isSidechain: false,
      userType: "external",
      cwd: deck.work,
      sessionId: id,
      version: "2.1.325",
      type: role,
      message,
      uuid,
      timestamp: new Date().toISOString(),
    };
    before = uuid;
    appendFileSync(path, `${JSON.stringify(line)}\n`);
  };
  return { path, say };
}

test("a session of a terminal is seen, watched, and taken over with a choice", async () => {
  const { deck, screen } = bridge;
  const { page } = screen;
  const id = randomUUID();
  const terminal = transcript(deck, id);
  terminal.say("user", "Find the leak in the hull");
  terminal.say("assistant", "It is below the waterline.");
  await at(screen, "#/");
  await page.reload();
  const row = page.locator(".list .srow", { hasText: "Find the leak" });
  await row.waitFor();
  await screen.isGood();
  await row.click();
  await read(screen, "It is below the waterline.");
  await page.locator(".list .srow", { hasText: /In a terminal, .* ago/ }).waitFor();
  await page.locator(".terminal-notice", { hasText: /In a terminal, .* ago/ }).waitFor();
  // What is written there meanwhile appears here.
  terminal.say("user", "Mend it");
  terminal.say("assistant", "Tarred and dry.");
  await read(screen, "Tarred and dry.");
  await screen.isGood();
  // Another program has it: nothing is taken over unasked.
  other = spawn("sh", ["-c", "read line", "claude", "--resume", id], { stdio: ["pipe", "ignore", "ignore"] });
  const isAlone = () => other?.exitCode !== null || other.signalCode !== null;
  const held = page.url();
  const dialog = page.getByRole("dialog", { name: "Somebody else is at it" });
  const answer = async (way: RegExp) => {
    await dialog.getByRole("button", { name: way }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await button(screen, "Take over").click();
  await dialog.waitFor();
  await screen.isGood();
  await answer(/^Watch it here/);
  expect([isAlone(), page.url()]).toEqual([false, held]);
  // Another way from here on, which leaves the terminal alone.
  await button(screen, "Take over").click();
  await answer(/^Fork/);
  await expect.poll(() => page.url()).not.toBe(held);
  await read(screen, "Tarred and dry.");
  expect(await page.locator(".terminal-notice").count()).toBe(0);
  expect(isAlone()).toBe(false);
  await page.goBack();
  await page.locator(".terminal-notice").waitFor();
  // A message is no way around the choice.
  const unsent = page.locator(".unsent", { hasText: "Caulk the deck" });
  await write(screen, "Caulk the deck");
  await unsent.getByRole("alert").getByText("Not sent.").waitFor();
  await screen.isGood();
  await unsent.getByRole("button", { name: "Say it in a fork" }).click();
  await expect.poll(() => page.url()).not.toBe(held);
  await expect.poll(() => composer(screen).inputValue()).toBe("Caulk the deck");
  await read(screen, "Tarred and dry.");
  await page.goBack();
  await page.locator(".terminal-notice").waitFor();
  await unsent.waitFor({ state: "detached" });
  // Both at once, for who wants that; and the agent that was started here is ended again.
  await button(screen, "Take over").click();
  await answer(/^Start beside it/);
  await page.locator(".terminal-notice").waitFor({ state: "detached" });
  await expect.poll(() => phase(screen)).toBe("idle");
  expect(isAlone()).toBe(false);
  await choose(screen, /^Actions for/, /^End its agent/);
  await expect.poll(() => phase(screen)).toBe("asleep");
  await write(screen, "Caulk the deck");
  await unsent.getByRole("button", { name: "Edit" }).click();
  await expect.poll(() => composer(screen).inputValue()).toBe("Caulk the deck");
  await choose(screen, /^Actions for/, /^Start its agent again/);
  const gone = new Promise((resolve) => other?.once("exit", resolve));
  await answer(/^Take it over/);
  await gone;
  await page.locator(".terminal-notice").waitFor({ state: "detached" });
  await expect.poll(() => phase(screen)).toBe("idle");
});
