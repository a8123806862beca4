// Sessions in which something is asked, deleted and told, for the tests of what surrounds them.

import type { Screen } from "./screen";
import { button, openSession, read, turnEnds, write } from "./session";
import { calls, says, turn } from "./story";

export const story = {
  turns: [
    turn(
      [says("The tests tell."), calls("Bash", { command: "cargo test" }, "ok", { asks: true })],
      [says("All of them pass.")],
    ),
    turn([calls("Bash", { command: "rm notes.txt" }, "", { asks: true })], [says("The notes are gone.")]),
    turn([says("Something about a marmalade factory.")]),
  ],
};

/** A session whose first turn is through. */
export async function talkedSession(screen: Screen, work: string): Promise<string> {
  const id = await openSession(screen, work);
  await write(screen, "Run the tests");
  await button(screen, /^Allow once/).click();
  await read(screen, "All of them pass.");
  await turnEnds(screen);
  // Its row goes to another part of the list then, as an element of its own.
  await screen.page.locator(".list .srow.read", { hasText: "Run the tests" }).waitFor();
  return id;
}
