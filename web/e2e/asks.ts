// Prompts of the agent on a screen, each in a session of its own, and what they were answered with.

import type { Locator } from "playwright-core";
import { type Bridge, bridgeForAll } from "./bridge";
import { button, conversation, openSession, write } from "./session";

/** What is done with the prompts of turns that have names. A turn says `Turn NAME ends.` last. */
export function prompts<Name extends string>(turns: Record<Name, unknown[]>) {
  const bridge: Bridge = bridgeForAll();
  let session = "";
  const prompt = (): Locator => bridge.screen.page.locator(".ask-slot:not([hidden]) form.ask");
  return {
    bridge,
    prompt,
    radio: (name: RegExp): Locator => prompt().getByRole("radio", { name }),
    /** Presses in the prompt. */
    press: (name: string | RegExp): Promise<void> => prompt().getByRole("button", { name }).click(),
    step: (words: RegExp): Locator => conversation(bridge.screen).locator(".trow.is-step", { hasText: words }).last(),
    /** Lets a turn begin, in a new session, and waits for its prompt. */
    async begin(name: Name): Promise<void> {
      const { deck, screen } = bridge;
      deck.tell({ turns: [turns[name]] });
      session = await openSession(screen, deck.work);
      await write(screen, `Begin ${name}`);
      await prompt().waitFor();
    },
    /** Who has unfolded something reads on there; what is new is a press away. */
    async ends(name: Name): Promise<void> {
      const jump = button(bridge.screen, /^Jump to latest/);
      const words = conversation(bridge.screen).getByText(`Turn ${name} ends.`);
      await jump.or(words).first().waitFor();
      // It goes by itself where the end comes back into sight.
      if (await jump.isVisible()) await jump.click({ timeout: 2000 }).catch(() => {});
      await words.first().waitFor();
    },
    /** The answers that the agent was given, the last one last. */
    async answers(): Promise<Record<string, unknown>[]> {
      const log = await bridge.screen.page.evaluate(
        async (id) => (await fetch(`api/v1/sessions/${id}/records`)).text(),
        session,
      );
      type Said = { source: string; line?: { type: string; response?: { response?: Record<string, unknown> } } };
      return log
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Said)
        .flatMap(({ line }) =>
          line?.type === "control_response" && isAnswer(line.response?.response) ? [line.response.response] : [],
        );
    },
  };
}

const isAnswer = (given: Record<string, unknown> | undefined): given is Record<string, unknown> =>
  given?.behavior !== undefined || given?.action !== undefined;
