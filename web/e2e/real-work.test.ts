// Longer work with the real CLI, offline: a denied command, a saved rule, an edit, an interrupt, a slash command, images. The tests check
// the files that the CLI changed and the requests that it sent to the model.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realBridge } from "./bridge";
import { button, changedLines, composer, conversation, inspect, openSession, openSteps, read, write } from "./session";
import { NEWEST_UNLESS_ALL, reply, VERSIONS } from "./stage";
import { calls, says } from "./story";

/** A picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==";

describe.each(NEWEST_UNLESS_ALL)("with %s", (version) => {
  const bridge = realBridge(version);
  const inProject = (name: string): string => join(bridge.stage.project, name);

  test("a refusal and its reason reach the model, and nothing runs", async () => {
    const { screen, stage } = bridge;
    const move = calls("Bash", { command: "mv hello.txt gone.txt", description: "Move a file" });
    await stage.tell(reply(move), reply(says("Then I leave it.")));
    await openSession(screen, stage.project);
    await write(screen, "Move it");
    await button(screen, /^Deny and say why/).click();
    await screen.page.keyboard.type("Copy it instead");
    await screen.isGood();
    await screen.page.keyboard.press("Enter");
    await read(screen, "Then I leave it.");
    expect(await stage.lastRead()).toContain("Copy it instead");
    expect(existsSync(inProject("gone.txt"))).toBe(false);
    await openSteps(screen);
    await read(screen, "“Copy it instead”");
    await expect.poll(() => conversation(screen).getByText("Copy it instead").count()).toBe(1);
    await screen.isGood();
  });

  test("what is allowed for good is not asked again", async () => {
    const { screen, stage } = bridge;
    writeFileSync(inProject("count.mjs"), 'import { appendFileSync } from "node:fs"; appendFileSync("counted", "x");');
    const count = calls("Bash", { command: "node count.mjs", description: "Count" });
    await stage.tell(reply(count), reply(count), reply(says("Counted twice.")));
    const id = await openSession(screen, stage.project);
    await write(screen, "Count twice");
    await screen.page.getByRole("radio", { name: /^Allow Bash\(node/ }).check();
    await screen.isGood();
    await button(screen, /^Allow and save rule/).click();
    await read(screen, "Counted twice.");
    expect(readFileSync(inProject("counted"), "utf8")).toBe("xx");
    const rules = await inspect(screen, id, "rules");
    await rules
      .getByRole("region", { name: version === VERSIONS[0] ? "Granted in this session" : "Rules in force" })
      .getByText(/Bash\(node/)
      .first()
      .waitFor();
    await screen.isGood();
    // Nor in another session, since the rule is kept with the project.
    await stage.tell(reply(count), reply(says("Counted again.")));
    await openSession(screen, stage.project);
    await write(screen, "Once more");
    await read(screen, "Counted again.");
    expect(readFileSync(inProject("counted"), "utf8")).toBe("xxx");
  });

  test("an edit is shown before it is made, and after", async () => {
    const { screen, stage } = bridge;
    const path = inProject("poem.txt");
    writeFileSync(path, "roses are red\nviolets are blue\n");
    const edit = { file_path: path, old_string: "violets are blue", new_string: "violets are violet" };
    await stage.tell(reply(calls("Read", { file_path: path })), reply(calls("Edit", edit)), reply(says("Edited.")));
    const id = await openSession(screen, stage.project);
    await write(screen, "Mend the poem");
    await button(screen, /^Allow once/).waitFor();
    const change = screen.page.getByRole("figure", { name: /^Changes in .*poem\.txt$/ });
    const meant = screen.page.locator("form.ask").getByRole("figure", { name: /poem\.txt$/ });
    await expect.poll(() => changedLines(meant)).toEqual(["removed: violets are blue", "added: violets are violet"]);
    await expect.poll(() => meant.locator(".dl .n").allTextContents()).toEqual(["2", "", "", "2"]);
    expect(readFileSync(path, "utf8")).toContain("violets are blue");
    await screen.isGood();
    await button(screen, /^Allow once/).click();
    await read(screen, "Edited.");
    expect(readFileSync(path, "utf8")).toBe("roses are red\nviolets are violet\n");
    await openSteps(screen);
    await expect.poll(() => changedLines(change)).toEqual(["removed: violets are blue", "added: violets are violet"]);
    await screen.isGood();
    const files = await inspect(screen, id, "files");
    await files.getByText("poem.txt").first().waitFor();
    await screen.isGood();
  });

  test("a turn is interrupted, and the next one works", async () => {
    const { screen, stage } = bridge;
    const long = Array.from({ length: 40 }, (_, at) => `word${at}`).join(" ");
    const held = { ...reply(says(long)), pause: { after: 6, gate: "never" } };
    await stage.tell(held, reply(says("Here again.")));
    await openSession(screen, stage.project);
    await write(screen, "Talk long");
    await read(screen, /word4/);
    await button(screen, "Stop the turn").click();
    await read(screen, /^Interrupted/);
    await screen.isGood();
    await write(screen, "Are you there?");
    await read(screen, "Here again.");
    expect(await conversation(screen).getByText(/word4/).count()).toBeGreaterThan(0);
    await screen.isGood();
  });

  test("a command of the CLI is chosen, and what it says is shown", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(says("Hello.")));
    await openSession(screen, stage.project);
    await write(screen, "Hello");
    await read(screen, "Hello.");
    await composer(screen).pressSequentially("/conte");
    await screen.page.getByRole("option", { name: /^\/context/ }).waitFor();
    await screen.isGood();
    await composer(screen).press("Enter");
    await composer(screen).press("Enter");
    await read(screen, /System prompt/);
    expect(await stage.asked()).toHaveLength(1);
    await screen.isGood();
  });

  test("pictures that are picked and pasted reach the model", async () => {
    const { screen, stage } = bridge;
    await stage.tell(reply(says("Two pixels.")));
    await openSession(screen, stage.project);
    const picked = { name: "picked.png", mimeType: "image/png", buffer: Buffer.from(PIXEL, "base64") };
    await screen.page.getByLabel("Pictures to attach").setInputFiles(picked);
    await screen.page.getByRole("img", { name: "picked.png" }).waitFor();
    await composer(screen).pressSequentially("Not that, but");
    await composer(screen).evaluate((field, data) => {
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "pasted.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, PIXEL);
    await screen.page.getByRole("img", { name: "pasted.png" }).waitFor();
    await expect.poll(() => composer(screen).inputValue()).toBe("Not that, but [Picture 2] ");
    await screen.isGood();
    await composer(screen).pressSequentially("what is it?");
    await composer(screen).press("Enter");
    await read(screen, "Two pixels.");
    const messages = (await stage.asked()).at(-1)?.messages ?? [];
    const blocks = messages.flatMap(({ content }) => content as { type: string; text?: string }[]);
    const images = blocks.filter(({ type }) => type === "image");
    // In the order in which they were put there; the CLI says more before and behind that.
    const ours = ["Not that, but [Picture 2]", "what is it?"];
    const said = blocks.flatMap(({ type, text }) =>
      type === "image" ? [type] : ours.filter((words) => text?.includes(words)),
    );
    expect(said).toEqual(["image", "Not that, but [Picture 2]", "image", "what is it?"]);
    expect(images).toMatchObject(Array(2).fill({ source: { type: "base64", media_type: "image/png" } }));
    const thumbnails = conversation(screen).getByRole("button", { name: /^Picture, / });
    await expect.poll(() => thumbnails.locator("img").count()).toBe(2);
    await screen.isGood();
  });
});
