// A person without a pointer: keys pressed on a screen, and where the focus is then.

import type { Locator } from "playwright-core";
import { expect } from "vitest";
import type { Screen } from "./screen";

/** One key after the other. */
export const press = (screen: Screen, ...keys: string[]): Promise<void> =>
  keys.reduce((before, key) => before.then(() => screen.page.keyboard.press(key)), Promise.resolve());

export const hasFocus = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === document.activeElement);

/** Is it seen where the focus is? A ring is around it, or around what it is the field of. */
export function isRinged({ page }: Screen): Promise<boolean> {
  return page.evaluate(() => {
    let element: Element | null = document.activeElement;
    if (!element?.matches(":focus-visible")) return false;
    for (let up = 0; up < 4 && element; up++, element = element.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      if (outlineStyle !== "none" && outlineWidth !== "0px") return true;
    }
    return false;
  });
}

/** Presses a key until this has the focus, and is seen to have it. */
export async function walkTo(screen: Screen, place: Locator, key = "Tab"): Promise<void> {
  await place.waitFor();
  for (let times = 0; times < 80 && !(await hasFocus(place)); times++) {
    const left = await screen.page.evaluateHandle(() => document.activeElement);
    await press(screen, key);
    // What is drawn only now takes the focus some frames later; another press would go past it.
    await left.evaluate(async (from) => {
      const isThere = () => document.activeElement !== from && document.activeElement !== document.body;
      for (let frame = 0; frame < 30 && !isThere(); frame++) await new Promise(requestAnimationFrame);
    });
  }
  expect(await hasFocus(place)).toBe(true);
  expect(await isRinged(screen)).toBe(true);
}

/** Opens something from the palette. */
export async function call(screen: Screen, words: string): Promise<void> {
  await press(screen, "Control+/");
  const palette = screen.page.getByRole("dialog", { name: "Commands, sessions and settings" });
  await palette.waitFor();
  await screen.page.keyboard.type(words);
  await press(screen, "Enter");
  await palette.waitFor({ state: "detached" });
}
