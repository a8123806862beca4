// Ways back, with the real CLI, offline, in an old version and the newest: files put back to before a message, and a fork from a
// message. What the CLI did stands on the disk, and what it told the model in the model's requests.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { realBridge } from "./bridge";
import type { Screen } from "./screen";
import { button, choose, composer, conversation, openSession, read, write } from "./session";
import { NEWEST_UNLESS_ALL, reply } from "./stage";
import { calls, says } from "./story";

/** Presses what stands beside a message, and gives the dialog that opens. */
async function fromMessage(screen: Screen, message: string, way: string, title: string): Promise<Locator> {
  // What it says is there before its turn is over, and the line that then comes moves the rows.
  await button(screen, "Stop the turn").waitFor({ state: "hidden" });
  // As a reader goes up: a page that is only made to scroll holds on to its end, and a click can come to nothing.
  await conversation(screen).hover();
  await screen.page.mouse.wheel(0, -10_000);
  const mine = conversation(screen)
    .getByRole("article")
    .filter({ hasText: `You said${message}` });
  await mine.hover();
  await mine.getByRole("button", { name: way }).click();
  const dialog = screen.page.getByRole("dialog", { name: title });
  await dialog.waitFor();
  return dialog;
}

const putBack = (screen: Screen, message: string): Promise<Locator> =>
  fromMessage(screen, message, "Put files back to before this", "Put files back");

describe.each(NEWEST_UNLESS_ALL)("with %s", (version) => {
  const bridge = realBridge(version);

  test("files go back to what they were before a message, also when the agent had ended", async () => {
    const { screen, stage } = bridge;
    const poem = join(stage.project, "poem.txt");
    const made = join(stage.project, "made.txt");
    writeFileSync(poem, "roses are red\nviolets are blue\n");
    await stage.tell(
      reply(calls("Read", { file_path: poem })),
      reply(calls("Edit", { file_path: poem, old_string: "are blue", new_string: "are violet" })),
      reply(calls("Write", { file_path: made, content: "new\n" })),
      reply(says("Edited.")),
      reply(says("They are blue again.")),
    );
    await openSession(screen, stage.project);
    await write(screen, "Mend the poem");
    for (const file of ["poem.txt", "made.txt"]) {
      await screen.page.locator("form.ask", { hasText: file }).waitFor();
      await button(screen, /^Allow once/).click();
    }
    await read(screen, "Edited.");

    // Of a command no copies are kept, and the dialog says so.
    await write(screen, "/context");
    await read(screen, /System prompt/);
    const command = await putBack(screen, "/context");
    await command.getByText(/kept no copies of the files for this message/).waitFor();
    await expect.poll(() => command.getByRole("button", { name: "Put files back" }).isDisabled()).toBe(true);
    await screen.isGood();
    await command.getByRole("button", { name: "Cancel" }).click();

    await choose(screen, /^Actions for/, /^End its agent/);
    await screen.page.getByText("Asleep", { exact: true }).waitFor();
    appendFileSync(poem, "added by hand\n");
    const dialog = await putBack(screen, "Mend the poem");
    await dialog.getByText(/Its agent is not running/).waitFor();
    await screen.isGood();
    await dialog.getByRole("button", { name: "Start its agent and look" }).click();
    const go = dialog.getByRole("button", { name: "Put 2 files back" });
    await go.waitFor();
    await expect.poll(() => dialog.getByRole("listitem").allTextContents()).toEqual(["poem.txt", "made.txt"]);
    await expect.poll(() => dialog.getByRole("heading", { level: 3 }).textContent()).toBe("2 files +1 −3");
    // Until now it was only asked.
    expect(readFileSync(poem, "utf8")).toBe("roses are red\nviolets are violet\nadded by hand\n");
    await screen.isGood();
    await go.click();
    await dialog.getByText("2 files put back.").waitFor();
    expect(readFileSync(poem, "utf8")).toBe("roses are red\nviolets are blue\n");
    expect(existsSync(made)).toBe(false);
    await screen.isGood();
    await dialog.getByRole("button", { name: "Close" }).last().click();

    // Who reads on sees it, and the model hears of it.
    await read(screen, /^2 files put back to before “Mend the poem”/);
    await screen.isGood();
    await write(screen, "And now?");
    await read(screen, "They are blue again.");
    expect(await stage.lastRead()).toMatch(/poem\.txt (was modified|changed on disk)[^}]*violets are blue/);
  });

  test("a fork from a message knows what was said before it, and the first session goes its own way", async () => {
    const { screen, stage } = bridge;
    const answers = ["Blue, then.", "Green, then.", "Red, then.", "Green it was."];
    await stage.tell(...answers.map((answer) => reply(says(answer))));
    const id = await openSession(screen, stage.project);
    await write(screen, "My favourite is blue");
    await read(screen, "Blue, then.");
    await write(screen, "Now it is green");
    await read(screen, "Green, then.");
    const dialog = await fromMessage(screen, "Now it is green", "Fork from here", "Fork from here");
    await dialog.getByText("Blue, then.").waitFor();
    await screen.isGood();
    await dialog.getByRole("button", { name: "Fork from here" }).click();
    await expect.poll(() => screen.page.url()).not.toContain(id);
    await expect.poll(() => composer(screen).inputValue()).toBe("Now it is green");
    await read(screen, "Blue, then.");
    expect(await conversation(screen).getByText(/green/i).count()).toBe(0);
    await screen.isGood();
    await write(screen, "Now it is red");
    await read(screen, "Red, then.");
    const inFork = await stage.lastRead();
    expect(inFork).toContain("My favourite is blue");
    expect(inFork).not.toMatch(/green/i);

    await screen.page.goBack();
    await expect.poll(() => screen.page.url()).toContain(id);
    await read(screen, "Green, then.");
    expect(await conversation(screen).getByText(/red/i).count()).toBe(0);
    await write(screen, "Which one was it?");
    await read(screen, "Green it was.");
    const inFirst = await stage.lastRead();
    expect(inFirst).toContain("Now it is green");
    expect(inFirst).not.toContain("Now it is red");
    await screen.isGood();
  });
});
