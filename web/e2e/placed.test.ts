// A change that waits for leave, with the numbers that its lines have in the file.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { bridgeForAll } from "./bridge";
import { button, changedLines, openSession, read, write } from "./session";
import { calls, says, turn } from "./story";

const bridge = bridgeForAll();
const prompt = (): Locator => bridge.screen.page.locator(".ask-slot:not([hidden]) form.ask");
const numbers = (): Promise<string[]> => prompt().locator(".dl .n").allTextContents();

/** Has the agent ask for a change. */
async function asks(tool: string, input: Record<string, unknown>): Promise<void> {
  const { deck, screen } = bridge;
  deck.tell({ turns: [turn([calls(tool, input, "Done", { asks: true })], [says("It is changed.")])] });
  await openSession(screen, deck.work);
  await write(screen, "Change it");
  await prompt().waitFor();
}

async function allow(): Promise<void> {
  await button(bridge.screen, /^Allow once/).click();
  await read(bridge.screen, "It is changed.");
}

const LINES = Array.from({ length: 40 }, (_, at) => `const line${at + 1} = ${at + 1};`);

test("a change has the numbers of the file, before it is allowed", async () => {
  const { deck, screen } = bridge;
  const file = join(deck.work, "src/ropes.ts");
  mkdirSync(join(deck.work, "src"));
  writeFileSync(file, `${LINES.join("\n")}\n`);
  await asks("Edit", {
    file_path: file,
    old_string: "const line12 = 12;\nconst line13 = 13;",
    new_string: "const line12 = 12;\nconst line13 = 31;\nconst more = 1;",
  });
  await expect.poll(numbers).toEqual(["12", "12", "13", "", "", "13", "", "14"]);
  expect(await changedLines(prompt())).toEqual([
    "removed: const line13 = 13;",
    "added: const line13 = 31;",
    "added: const more = 1;",
  ]);
  await screen.isGood();
  await allow();

  await asks("MultiEdit", {
    file_path: file,
    edits: [
      { old_string: "line30", new_string: "last\n" },
      { old_string: "line20", new_string: "first\n" },
    ],
  });
  await expect.poll(numbers).toEqual(["30", "", "", "31", "20", "", "", "20"]);
  await allow();
});

test("where the file says something else, or cannot be read, there are none", async () => {
  const { deck, screen } = bridge;
  const path = (name: string) => join(deck.work, name);
  writeFileSync(path("twice.ts"), "a = 1;\nb = 2;\na = 1;\n");
  // Longer than what is shown of a file: what is not seen of it may say the same again.
  writeFileSync(path("long.ts"), `a = 1;\n${"x".repeat(1024 * 1024)}\na = 1;\n`);
  writeFileSync(join(deck.place, "outside.ts"), "a = 1;\n");
  const looked: string[] = [];
  screen.page.on("response", async (answer) => {
    const url = new URL(answer.url());
    if (!url.pathname.endsWith("/file")) return;
    await answer.finished();
    looked.push(`${url.searchParams.get("path")} ${answer.status()}`);
  });
  // Whatever the page makes of an answer is drawn by then.
  const drawn = () => screen.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  for (const file of [path("twice.ts"), path("long.ts"), path("nothing.ts"), join(deck.place, "outside.ts")]) {
    const before = looked.length;
    await asks("Edit", { file_path: file, old_string: "a = 1;", new_string: "a = 2;" });
    // Nobody looks outside of where the agent works.
    const isLooked = !file.endsWith("outside.ts");
    if (isLooked) await expect.poll(() => looked.length).toBe(before + 1);
    await drawn();
    await expect.poll(() => changedLines(prompt())).toEqual(["removed: a = 1;", "added: a = 2;"]);
    expect(await numbers(), file).toEqual([]);
    await allow();
  }
  expect(looked).toEqual(["twice.ts 200", "long.ts 200", "nothing.ts 404"]);
});
