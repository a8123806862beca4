// How the page looks on this computer: light or dark, loose or tight. Kept in the browser, set on <html>.

import { keepText, keptText } from "../../store/browser";
import { Shared, useShared } from "../../store/shared";

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

const look = new Shared(readLook(null));

function apply(): void {
  const page = document.documentElement;
  const { theme, density } = look.get();
  if (theme === "system") page.removeAttribute("data-theme");
  else page.setAttribute("data-theme", theme);
  page.setAttribute("data-density", density);
}

/** Puts on what was chosen last time: before anything is drawn. */
export function wearLook(): void {
  look.set(readLook(keptText(KEY)));
  apply();
}

export function changeLook(change: Partial<Look>): void {
  look.set({ ...look.get(), ...change });
  apply();
  keepText(KEY, JSON.stringify(look.get()));
}

export const useLook = (): Look => useShared(look);
