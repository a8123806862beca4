// Where the reader is: in the part of the address that the server never sees.

import { useSyncExternalStore } from "react";

export type Place = { page: "sessions" } | { page: "session"; id: string } | { page: "new" };

export function readPlace(hash: string): Place {
  const [first, second] = hash.replace(/^#\/?/, "").split("/");
  if (first === "s" && second) return { page: "session", id: decodeURIComponent(second) };
  if (first === "new") return { page: "new" };
  return { page: "sessions" };
}

export function placeHref(place: Place): string {
  switch (place.page) {
    case "session":
      return `#/s/${encodeURIComponent(place.id)}`;
    case "new":
      return "#/new";
    case "sessions":
      return "#/";
    default:
      return place satisfies never;
  }
}

export function go(place: Place): void {
  location.hash = placeHref(place);
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
};

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return readPlace(hash);
}
