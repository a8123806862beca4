// F6 goes from one part of the page to the next, Shift+F6 back: into what can be used there, or where the focus was before.

import { useEffect } from "react";

/** In the order in which the eye goes. */
const REGIONS = ".rail, .list, .head, [role=log], .dock, .inspector";
const USABLE =
  "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex]";

const lastIn = new WeakMap<Element, HTMLElement>();

const isSeen = (element: HTMLElement): boolean => element.getClientRects().length > 0;

function enter(region: HTMLElement): boolean {
  const known = lastIn.get(region);
  const stops = [...region.querySelectorAll<HTMLElement>(USABLE)].filter((stop) => stop.tabIndex >= 0);
  const field = region.matches(".dock") ? region.querySelector<HTMLElement>("textarea") : null;
  const current = region.querySelector<HTMLElement>("[aria-current]");
  const wanted = [known?.isConnected ? known : null, field, current, region.tabIndex >= 0 ? region : null, ...stops];
  const to = wanted.find((element) => element && isSeen(element));
  to?.focus();
  return to !== undefined;
}

export function useRegions(): void {
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const target = event.target as HTMLElement;
      const region = target.closest?.(REGIONS);
      if (region) lastIn.set(region, target);
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
      if (document.querySelector("dialog:modal")) return;
      event.preventDefault();
      const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isSeen);
      const here = regions.findIndex((region) => region.contains(document.activeElement));
      const step = event.shiftKey ? -1 : 1;
      // Nowhere yet: forwards begins with the first, backwards with the last.
      let at = here === -1 && event.shiftKey ? 0 : here;
      for (let tries = 0; tries < regions.length; tries += 1) {
        at = (at + step + regions.length) % regions.length;
        const region = regions[at];
        if (region && enter(region)) return;
      }
    };
    document.addEventListener("focusin", note);
    document.addEventListener("keydown", pressed);
    return () => {
      document.removeEventListener("focusin", note);
      document.removeEventListener("keydown", pressed);
    };
  }, []);
}

/** Is this a place where letters are letters? */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** Where somebody writes to the agent has the focus, as soon as what is asked for now is drawn. */
export function enterComposer(): void {
  const enter = () => requestAnimationFrame(() => document.querySelector<HTMLElement>(".dock textarea")?.focus());
  addEventListener("hashchange", enter, { once: true });
}
