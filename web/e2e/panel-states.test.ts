// Commands, settings and help in states that are met seldom: failed, starting, asleep; permissions bypassed.

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { beginner } from "./bridge";
import type { Screen } from "./screen";
import { at, choose, composer, conversation, openSession, read, say, send, write } from "./session";
import { local, says, turn } from "./story";

const begin = beginner();

const panel = (screen: Screen): Locator => screen.page.getByRole("dialog");

async function open(screen: Screen, session: string, where: string, title: string | RegExp): Promise<void> {
  await at(screen, `#/s/${session}/${where}`);
  await panel(screen).getByRole("heading", { name: title, level: 2 }).waitFor();
}

test("commands: what they print, and what they print when they fail", async () => {
  const { screen } = await begin({
    turns: [
      [local("Total cost: $0.04\nTotal duration: 3s")],
      [local("Error: No messages to compact", "stderr")],
      turn([says("By its other name.")]),
    ],
  });
  await composer(screen).fill("/context ");
  await composer(screen).press("Enter");
  await read(screen, /Total cost: \$0\.04/);
  await composer(screen).fill("/compact ");
  await composer(screen).press("Enter");
  await read(screen, /No messages to compact/);
  await conversation(screen).getByText("Failed", { exact: true }).waitFor();
  await screen.isGood();
  // Another name of it is enough, and one press.
  await composer(screen).fill("/checkup");
  await screen.page.getByRole("option", { name: /^\/doctor/ }).waitFor();
  await composer(screen).press("Enter");
  await read(screen, "By its other name.");
  // What is no command is nothing to choose.
  await composer(screen).fill("/zzzz");
  expect(await screen.page.getByRole("listbox").count()).toBe(0);
});

test("settings and help: of an agent that starts, has said nothing yet, runs, and has ended", async () => {
  const rests = { fast_mode_state: "cooldown", fast_mode_disabled_reason: null };
  const { screen, session } = await begin({
    // Its first answer comes when somebody has spoken.
    on_control: [
      { subtype: "initialize", once: true, does: { after: "user" } },
      { subtype: "set_permission_mode", once: true, does: { body: { mode: "default" } } },
    ],
    turns: [
      turn([says("Hello.")]),
      [...turn([says("Not so fast.")]), { result: rests }],
      turn([says("Now with edits.")]),
    ],
  });
  // Before it has named its commands, those of this page are there.
  await composer(screen).fill("/");
  const commands = screen.page.getByRole("listbox", { name: "Commands" });
  await commands.getByRole("option", { name: /^\/help/ }).waitFor();
  expect(await commands.getByRole("option").filter({ hasNotText: "this page" }).count()).toBe(0);
  await screen.isGood();
  await composer(screen).fill("");
  await open(screen, session, "settings", "Settings of this session");
  await panel(screen).getByText("The agent is starting. In a moment this can be changed.").waitFor();
  await expect.poll(() => panel(screen).getByRole("radio").first().isDisabled()).toBe(true);
  await screen.isGood();
  // Before its first turn it has told of nothing yet, and that is said.
  const group = (name: string) => panel(screen).getByRole("region", { name, exact: true });
  await open(screen, session, "help", "What this agent can do");
  await group("Tools").getByText("The agent names them when its first turn begins.").waitFor();
  for (const name of ["Skills", "Plugins"]) await group(name).getByText("None.").waitFor();
  await screen.isGood();
  await screen.page.keyboard.press("Escape");
  await say(screen, "Hello.");
  await open(screen, session, "help", "What this agent can do");
  const named = {
    "Versions and account": "2.1.325",
    Commands: "/compact",
    Tools: "NotebookEdit",
    Agents: "Explore",
    Skills: "dataviz",
    Plugins: "cc-plugin-privacy",
    Models: "Fable",
  };
  for (const [name, entry] of Object.entries(named)) {
    await group(name).getByText(entry, { exact: true }).first().waitFor();
  }
  await panel(screen).getByRole("searchbox").fill("no such thing");
  await panel(screen)
    .getByText(/Nothing found for/)
    .waitFor();
  await screen.isGood();
  await open(screen, session, "settings", "Settings of this session");
  await panel(screen).getByRole("heading", { name: "Output style", level: 3 }).waitFor();
  await panel(screen)
    .getByText(/of default, Proactive/)
    .waitFor();
  // Fast mode: switched on, resting, and of a model that has none.
  const fast = group("Fast mode");
  await fast.getByText("The CLI gives it to programs only after it was switched on here.").waitFor();
  await screen.page.keyboard.press("Escape");
  await say(screen, "Not so fast.");
  await open(screen, session, "settings", "Settings of this session");
  await fast.getByText("It rests for now: its limit is used up, and it comes back by itself.").waitFor();
  await expect.poll(() => fast.getByRole("switch").isChecked()).toBe(true);
  await screen.isGood();
  await group("Model").getByRole("radio", { name: "Haiku" }).click();
  await fast.getByText(/^This model has none\./).waitFor();
  // What the agent has taken and does not report is told so until it does.
  const accepted = group("Permissions").getByText("Accepted. The agent reports it with the next turn.");
  const mode = screen.page.locator("header.head").getByRole("button", { name: /^Permissions: Accept edits/ });
  await group("Permissions").getByRole("radio", { name: "Accept edits" }).click();
  await accepted.waitFor();
  expect(await mode.count()).toBe(0);
  await screen.isGood();
  await send(screen.page, session, "Go on");
  await accepted.waitFor({ state: "detached" });
  await mode.waitFor({ state: "attached" });
  await screen.page.keyboard.press("Escape");
  await open(screen, session, "keys", /^Keys/);
  for (const words of ["Send, or queue while a turn runs", "New line", "Copy what is selected", "Earlier prompt"]) {
    await panel(screen).getByText(words).waitFor();
  }
  await screen.page.keyboard.press("Escape");
  await choose(screen, /^Actions for/, /^End its agent/);
  await open(screen, session, "settings", "Settings of this session");
  await panel(screen).getByText("The agent is not running. Start it, and this can be changed.").waitFor();
  await expect.poll(() => panel(screen).getByRole("radio").first().isDisabled()).toBe(true);
  await screen.isGood();
  await panel(screen).getByRole("button", { name: "Start its agent" }).click();
  await panel(screen).getByText("The agent is starting. In a moment this can be changed.").waitFor();
  await screen.page.keyboard.press("Escape");
  await write(screen, "Once more");
  await open(screen, session, "settings", "Settings of this session");
  await expect.poll(() => panel(screen).getByRole("radio").first().isDisabled()).toBe(false);
});

test("permissions are bypassed only after a second word, and then it is seen everywhere", async () => {
  const { deck, screen } = await begin({ turns: [turn([says("Hello.")])] }, "--dangerously-allow-bypass");
  // Only an agent that was started with it can go back to it.
  const session = await openSession(screen, deck.work, { bypassPermissions: true });
  await choose(screen, /^Permissions/, /^Ask first/);
  const mode = screen.page.locator("header.head").getByRole("button", { name: /^Permissions/ });
  await expect.poll(() => mode.textContent()).toContain("Ask first");
  // By keyboard: the first key that is pressed changes nothing.
  await mode.focus();
  await screen.page.keyboard.press("Enter");
  // A menu that opens takes the focus; then one goes on from there.
  await screen.page.locator(".menu-entry:focus").waitFor();
  await screen.page.getByRole("menuitemradio", { name: /^Bypass/ }).focus();
  await screen.page.keyboard.press("Enter");
  await panel(screen)
    .getByText(/nobody is asked/)
    .waitFor();
  await screen.isGood();
  await screen.page.keyboard.press("Enter");
  await panel(screen).waitFor({ state: "detached" });
  await expect.poll(() => mode.textContent()).toContain("Ask first");
  await expect.poll(() => mode.evaluate((element) => element === document.activeElement)).toBe(true);
  await choose(screen, /^Permissions/, /^Bypass/);
  await panel(screen).getByRole("button", { name: "Bypass permissions" }).click();
  await screen.page.locator("header.head .tag.danger", { hasText: "Bypass" }).waitFor();
  await screen.page.locator(".list .srow", { hasText: "Bypass" }).waitFor();
  await open(screen, session, "settings", "Settings of this session");
  await panel(screen).getByText("Bypass is on").waitFor();
  await screen.isGood();
});
