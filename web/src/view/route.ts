// Where the reader is: in the part of the address that the server never sees.

import { useMemo, useSyncExternalStore } from "react";

export type Place =
  | { page: "sessions" }
  | { page: "session"; id: string }
  /** The dialog to start one; a fresh one if it does not say. */
  | { page: "new"; tab?: "resume" };

export function readPlace(hash: string): Place {
  const [first, second] = hash.replace(/^#\/?/, "").split("/");
  if (first === "s" && second) return { page: "session", id: decoded(second) };
  if (first === "new") return second === "resume" ? { page: "new", tab: "resume" } : { page: "new" };
  return { page: "sessions" };
}

/** An address that somebody typed can be anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function placeHref(place: Place): string {
  switch (place.page) {
    case "session":
      return `#/s/${encodeURIComponent(place.id)}`;
    case "new":
      return place.tab === undefined ? "#/new" : `#/new/${place.tab}`;
    case "sessions":
      return "#/";
    default:
      return place satisfies never;
  }
}

export function go(place: Place): void {
  location.hash = placeHref(place);
}

/** Goes there so that Back does not lead here again. */
export function replacePlace(place: Place): void {
  location.replace(placeHref(place));
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
};

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => readPlace(hash), [hash]);
}
