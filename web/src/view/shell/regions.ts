// Keys go from one part of the page to the next and back: into what can be used there, or where the focus was before.

import { useEffect } from "react";
import { useDeed } from "../keys/deeds";
import { replacePlace } from "../route";

/** In the order in which the eye goes. */
const REGIONS =
  ".rail, .list, .head, [role=log], .dock, .inspector, .page-head, .inbox-col, .facets, .search-hits, .tbl";
const USABLE =
  "a[href], button:not([disabled]), input:not([disabled]), textarea:not([disabled]), select:not([disabled]), [tabindex]";

const lastIn = new WeakMap<Element, HTMLElement>();

const isSeen = (element: HTMLElement): boolean => element.checkVisibility({ visibilityProperty: true });

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

function step(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(isSeen);
  const here = regions.findIndex((region) => region.contains(document.activeElement));
  // Nowhere yet: forwards begins with the first, backwards with the last.
  let at = here === -1 && by === -1 ? 0 : here;
  for (let tries = 0; tries < regions.length; tries += 1) {
    at = (at + by + regions.length) % regions.length;
    const region = regions[at];
    if (region && enter(region)) return;
  }
}

export function useRegions(): void {
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const target = event.target as HTMLElement;
      const region = target.closest?.(REGIONS);
      if (region) lastIn.set(region, target);
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useDeed("nextRegion", () => step(1));
  useDeed("previousRegion", () => step(-1));
}

/** Goes to a session that was just begun, from the dialog that began it: that is not come back to. */
export function enterSession(id: string): void {
  enterComposer();
  replacePlace({ page: "session", id });
}

/** Where somebody writes to the agent has the focus, as soon as what is asked for now is drawn. */
export function enterComposer(): void {
  const enter = () => requestAnimationFrame(() => document.querySelector<HTMLElement>(".dock textarea")?.focus());
  addEventListener("hashchange", enter, { once: true });
}
