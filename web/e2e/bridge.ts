// A server and a screen on it, for the tests of a file: with the scripted agent new for each test, with the real CLI one for all
// of them.

import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { Deck, type Story } from "./deck";
import { Screen } from "./screen";
import { openSession } from "./session";
import { Stage, VERSIONS } from "./stage";

export type Bridge = { deck: Deck; screen: Screen };
export type RealBridge = Bridge & { stage: Stage };

/** With the scripted agent. What is in it is there while a test runs. */
export function bridgeForEach(story: Story): Bridge {
  const bridge = {} as Bridge;
  beforeEach(async () => {
    bridge.deck = await Deck.start(story);
    bridge.screen = await Screen.open(bridge.deck.url);
  });
  afterEach(async () => {
    await bridge.screen.close();
    await bridge.deck.end();
  });
  return bridge;
}

export type Begun = Bridge & { session: string };

/** With the scripted agent, when a test says what that does and what the server is told: with a session that is open. */
export function beginner(): (story: Story, ...flags: string[]) => Promise<Begun> {
  const bridge: { deck?: Deck | undefined; screen?: Screen | undefined } = {};
  afterEach(async () => {
    await bridge.screen?.close();
    await bridge.deck?.end();
    bridge.screen = bridge.deck = undefined;
  });
  return async (story, ...flags) => {
    const deck = await Deck.start(story, ...flags);
    bridge.deck = deck;
    const screen = await Screen.open(deck.url);
    bridge.screen = screen;
    return { deck, screen, session: await openSession(screen, deck.work) };
  };
}

/** With the scripted agent, one server and one screen for all tests of a file; each says what the agents do that it starts. */
export function bridgeForAll(): Bridge {
  const bridge = {} as Bridge;
  beforeAll(async () => {
    bridge.deck = await Deck.start({ turns: [] });
    bridge.screen = await Screen.open(bridge.deck.url);
  });
  afterAll(async () => {
    await bridge.screen?.close();
    await bridge.deck?.end();
  });
  return bridge;
}

/** With the real CLI of a version. Each test has sessions of its own; the folder that they work in is the same. */
export function realBridge(version: string): RealBridge {
  const bridge = {} as RealBridge;
  beforeAll(async () => {
    bridge.stage = await Stage.start(version);
    bridge.deck = await Deck.real(bridge.stage);
    // Both looks are looked at: one with each version.
    bridge.screen = await Screen.open(bridge.deck.url, { theme: version === VERSIONS[0] ? "dark" : "light" });
  });
  afterAll(async () => {
    await bridge.screen?.close();
    await bridge.deck?.end();
    await bridge.stage?.end();
  });
  return bridge;
}
