// The desk around a conversation, with the real CLI, offline, in an old version and the newest: settings that are in the very next
// request to the model, the palette, notifications, and a whole run on a phone.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realBridge } from "./bridge";
import { listenToNotices, toldOn } from "./notices";
import { Screen } from "./screen";
import { button, composer, openSession, read, write } from "./session";
import { type Asked, NEWEST_UNLESS_ALL, reply, VERSIONS } from "./stage";
import { calls, says } from "./story";

describe.each(NEWEST_UNLESS_ALL)("with %s", (version) => {
  const bridge = realBridge(version);
  const isOld = version === VERSIONS[0];

  test("what is set in the panel is in the next request, and what cannot be set is said", async () => {
    const { screen, stage } = bridge;
    const { page } = screen;
    await stage.tell(...["One.", "Two.", "Three."].map((answer) => reply(says(answer))));
    // It has levels of effort, and can be kept from thinking.
    await openSession(screen, stage.project, { model: "claude-opus-4-6" });
    const panel = page.getByRole("dialog", { name: "Settings of this session" });
    const set = async (group: string, value: RegExp) => {
      const choice = panel.getByRole("radiogroup", { name: group }).getByRole("radio", { name: value });
      const answered = page.waitForResponse((answer) => answer.url().endsWith("/settings"));
      await choice.click();
      await answered;
      return choice;
    };
    const ask = async (text: string, answer: string): Promise<Asked | undefined> => {
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      await write(screen, text);
      await read(screen, answer);
      return (await stage.asked()).at(-1);
    };
    const first = await ask("First", "One.");
    expect(first?.thinking?.type).toBe(isOld ? undefined : "adaptive");
    expect(first?.output_config?.effort).toBe(isOld ? undefined : "high");
    expect(JSON.stringify(first?.messages)).not.toContain("Plan mode is active");

    await composer(screen).press("Control+,");
    await set("Thinking", isOld ? /^On$/ : /^Off$/);
    await set("Permissions", /^Plan/);
    await button(screen, /^Permissions: Plan/).waitFor({ state: "attached" });
    const low = await set("Effort", /^Low$/);
    // The old one has no answer to it, and nothing looks as if it had.
    if (isOld) await panel.getByText(/^It was not changed\. The agent gave no answer/).waitFor();
    await expect.poll(() => low.getAttribute("aria-checked")).toBe(String(!isOld));
    await screen.isGood();
    const second = await ask("Second", "Two.");
    expect(second?.thinking?.type).toBe(isOld ? "adaptive" : "disabled");
    expect(second?.output_config?.effort).toBe(isOld ? undefined : "low");
    expect(JSON.stringify(second?.messages)).toContain("Plan mode is active");

    await composer(screen).press("Control+,");
    await set("Thinking", isOld ? /^Off$/ : /^On$/);
    const third = await ask("Third", "Three.");
    expect(third?.thinking?.type).toBe(isOld ? undefined : "adaptive");

    // The palette, in the same session: a command of the CLI, and a deed of the page.
    const field = page.getByRole("combobox");
    await composer(screen).press("Control+/");
    await field.fill("/context");
    await page.keyboard.press("Enter");
    await expect.poll(() => composer(screen).inputValue()).toBe("/context ");
    await composer(screen).press("Enter");
    await read(screen, /System prompt/);
    await composer(screen).press("Control+/");
    await field.fill("End its agent");
    await page.keyboard.press("Enter");
    await page.getByText("Asleep", { exact: true }).waitFor();
    await screen.isGood();
  });

  test("a whole run on a phone, of which the desk is told what it wants to hear", async () => {
    const { deck, screen, stage } = bridge;
    const make = (folder: string) => calls("Bash", { command: `mkdir ${folder}`, description: "Make a folder" });
    await stage.tell(
      reply(make("first")),
      reply(says("The first is made.")),
      reply(make("second")),
      reply(says("The second is made.")),
    );
    await screen.page.evaluate(() => {
      location.hash = "#/";
    });
    await listenToNotices(screen);
    const told = () => toldOn(screen.page);
    const phone = await Screen.open(await deck.anotherUrl(), { phone: true });
    try {
      await phone.page.getByRole("link", { name: "New", exact: true }).tap();
      const dialog = phone.page.getByRole("dialog", { name: "New session" });
      await dialog.getByLabel("First message").fill("Make two folders");
      await dialog.getByLabel("Folder", { exact: true }).fill(stage.project);
      await dialog.getByRole("button", { name: "Start session" }).tap();
      await button(phone, /^Allow once/).waitFor();
      await phone.isGood();
      await expect.poll(told).toEqual([expect.stringMatching(/^Needs permission: Make a folder/)]);
      await button(phone, /^Allow once/).tap();
      await read(phone, "The first is made.");
      expect(existsSync(join(stage.project, "first"))).toBe(true);
      await expect.poll(told).toEqual([expect.stringMatching(/^Needs/), expect.stringMatching(/^Finished/)]);

      // The one without the other.
      await screen.page.evaluate(() => {
        location.hash = "#/settings/notifications";
      });
      const needsYou = screen.page.getByRole("region", { name: "A session needs you" });
      await needsYou.getByRole("switch", { name: "Notification" }).uncheck();
      await screen.isGood();
      await composer(phone).fill("And the other");
      await button(phone, "Send").tap();
      await button(phone, /^Allow once/).tap();
      await read(phone, "The second is made.");
      await expect.poll(async () => (await told()).length).toBe(3);
      expect((await told()).at(-1)).toMatch(/^Finished/);
      await phone.isGood();
    } finally {
      await phone.close();
    }
  });
});
