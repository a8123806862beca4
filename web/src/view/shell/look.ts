// How the page looks on this computer: light or dark, loose or tight. Kept in the browser, set on <html>.

import { useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];
export type Look = { theme: Theme; density: Density };

const KEY = "quarterdeck.look";

/** Whatever is kept, what comes out is a look. */
export function readLook(text: string | null): Look {
  let kept: Partial<Record<keyof Look, unknown>> = {};
  try {
    kept = (JSON.parse(text ?? "{}") as typeof kept | null) ?? {};
  } catch {
    // Somebody else wrote there.
  }
  return {
    theme: THEMES.find((theme) => theme === kept.theme) ?? "system",
    density: DENSITIES.find((density) => density === kept.density) ?? "comfortable",
  };
}

let look: Look = { theme: "system", density: "comfortable" };
const listeners = new Set<() => void>();

function apply(): void {
  const page = document.documentElement;
  if (look.theme === "system") page.removeAttribute("data-theme");
  else page.setAttribute("data-theme", look.theme);
  page.setAttribute("data-density", look.density);
}

/** Puts on what was chosen last time: before anything is drawn. */
export function wearLook(): void {
  try {
    look = readLook(localStorage.getItem(KEY));
  } catch {
    // A browser that keeps nothing has the system's look.
  }
  apply();
}

export function changeLook(change: Partial<Look>): void {
  look = { ...look, ...change };
  apply();
  try {
    localStorage.setItem(KEY, JSON.stringify(look));
  } catch {
    // Then it lasts as long as the page.
  }
  for (const listener of [...listeners]) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLook = (): Look => useSyncExternalStore(subscribe, () => look);
