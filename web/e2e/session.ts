// Sessions on a screen: started, opened, spoken to, as a person does it.

import type { Locator } from "playwright-core";
import type { Screen } from "./screen";

/** Starts a session by the API, as the page does, and opens it. */
export async function openSession(screen: Screen, cwd: string): Promise<string> {
  const id = await screen.page.evaluate(async (folder) => {
    const answer = await fetch("api/v1/sessions", {
      method: "POST",
      headers: { "content-type": "application/json", "x-quarterdeck": "1" },
      body: JSON.stringify({ options: { cwd: folder } }),
    });
    return ((await answer.json()) as { session: string }).session;
  }, cwd);
  await look(screen, id);
  return id;
}

/** Goes to a session. */
export async function look(screen: Screen, id: string): Promise<void> {
  await screen.page.evaluate((session) => {
    location.hash = `#/s/${session}`;
  }, id);
  await composer(screen).waitFor();
}

export const composer = (screen: Screen): Locator => screen.page.getByRole("textbox", { name: "Message", exact: true });
export const conversation = (screen: Screen): Locator => screen.page.getByRole("log");
export const button = (screen: Screen, name: string | RegExp): Locator => screen.page.getByRole("button", { name });

/** Writes to the agent. */
export async function write(screen: Screen, text: string): Promise<void> {
  await composer(screen).fill(text);
  await composer(screen).press("Enter");
}

/** Waits until words stand in the conversation. */
export async function read(screen: Screen, text: string | RegExp): Promise<void> {
  await conversation(screen).getByText(text).first().waitFor();
}
