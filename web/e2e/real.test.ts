// A conversation with the real CLI, offline, in an old version and the newest: a message, a permission prompt, a question. The tests
// check the files that the CLI changed and the requests that it sent to the model.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realBridge } from "./bridge";
import { button, conversation, openSession, openSteps, read, write } from "./session";
import { reply, VERSIONS } from "./stage";
import { calls, says } from "./story";

describe.each(VERSIONS)("with %s", (version) => {
  const bridge = realBridge(version);
  const inProject = (name: string): string => join(bridge.stage.project, name);

  test("one writes and reads the answer", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(says("There are **three** lines in it.")));
    await openSession(screen, stage.project);
    await screen.isGood();
    await write(screen, "How long is hello.txt?");
    await read(screen, "There are three lines in it.");
    await expect.poll(() => conversation(screen).locator("strong").textContent()).toBe("three");
    expect(await stage.lastRead()).toContain("How long is hello.txt?");
    await screen.isGood();
  });

  test("a command runs when it is allowed", async () => {
    const { screen, stage } = bridge;
    const make = calls("Bash", { command: "mkdir made && ls", description: "Make a folder" });
    await stage.tell(reply(make), reply(says("It is made.")));
    await openSession(screen, stage.project);
    await write(screen, "Make a folder");
    await button(screen, /^Allow once/).waitFor();
    await screen.page.getByText("mkdir made && ls").first().waitFor();
    expect(existsSync(inProject("made"))).toBe(false);
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await read(screen, "It is made.");
    expect(existsSync(inProject("made"))).toBe(true);
    await openSteps(screen);
    await screen.isGood();
  });

  test("a question is answered", async () => {
    const { screen, stage } = bridge;
    const options = [
      { label: "Red", description: "warm" },
      { label: "Blue", description: "cool" },
    ];
    const question = { question: "Which color?", header: "Color", multiSelect: false, options };
    await stage.tell(reply(calls("AskUserQuestion", { questions: [question] })), reply(says("So be it.")));
    await openSession(screen, stage.project);
    await write(screen, "Ask me");
    await screen.page.getByRole("radio", { name: /^Blue/ }).check();
    await screen.isGood();
    await button(screen, /^Send answer/).click();
    await read(screen, "So be it.");
    expect(await stage.lastRead()).toMatch(/Which color\?[^}]*Blue/);
    await openSteps(screen);
    await read(screen, "Blue");
    await screen.isGood();
  });
});
