// The branch where a session works, in its header: of a real repository, as git has it.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bridgeForEach } from "./bridge";
import { openSession, read, write } from "./session";
import { says, turn } from "./story";

const bridge = bridgeForEach({ turns: [turn([says("The first is done.")]), turn([says("The second is done.")])] });

/** Git, without anybody's own settings. */
function git(cwd: string, ...argv: string[]): string {
  const env = { PATH: process.env.PATH, HOME: bridge.deck.place, GIT_CONFIG_NOSYSTEM: "1" };
  const who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"];
  return execFileSync("git", [...who, ...argv], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

test("the branch stands beside the folder, changes after a turn, and gives way before the rest", async () => {
  const { deck, screen } = bridge;
  const head = screen.page.locator("header.head");
  const branch = head.locator(".branch");
  const plain = join(deck.work, "plain");
  mkdirSync(plain);
  await openSession(screen, plain);
  await write(screen, "Begin");
  await read(screen, "The first is done.");
  await head.locator(".where", { hasText: "plain" }).waitFor();
  expect(await branch.count()).toBe(0);

  git(deck.work, "init", "--initial-branch", "main");
  git(deck.work, "commit", "--allow-empty", "--message", "Begin");
  await openSession(screen, deck.work);
  await write(screen, "Begin");
  await read(screen, "The first is done.");
  await expect.poll(() => branch.textContent()).toBe("main");
  await expect.poll(() => branch.getAttribute("title")).toBe("Branch main");
  await screen.isGood();

  const long = "fix/the-span-that-overflows-when-the-tide-is-high-and-the-rope-is-short";
  git(deck.work, "switch", "--create", long);
  await write(screen, "Go on");
  await read(screen, "The second is done.");
  await expect.poll(() => branch.textContent()).toBe(long);
  // Where there is little room it is the branch that is cut, and nothing else.
  const isCut = (locator: typeof branch) => locator.evaluate((text) => text.scrollWidth > text.clientWidth);
  expect(await isCut(branch.locator("bdi"))).toBe(false);
  await screen.page.setViewportSize({ width: 900, height: 800 });
  await expect.poll(() => isCut(branch.locator("bdi"))).toBe(true);
  expect(await isCut(head.locator(".where .cut"))).toBe(false);
  expect(await isCut(head.locator(".title-button"))).toBe(false);
  const row = head.locator(".head-row.sub");
  expect(await isCut(row)).toBe(false);
  await screen.isGood();
  await screen.page.setViewportSize({ width: 1440, height: 900 });

  git(deck.work, "switch", "--detach");
  const commit = git(deck.work, "rev-parse", "HEAD");
  await screen.page.reload();
  await expect.poll(() => branch.textContent()).toBe(commit.slice(0, 7));

  git(deck.work, "worktree", "add", "-b", "tide", "tree");
  await openSession(screen, join(deck.work, "tree"));
  await write(screen, "Begin");
  await expect.poll(() => branch.textContent()).toBe("tide");
});
