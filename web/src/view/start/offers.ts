// Folders that fit to what is typed: the beginning of a path and the folders that are there in, whole paths out. Pure.

import { lastPart } from "../words";

/** The folder in which one is being named, with its slash; none before the first slash. */
export function parentOf(typed: string): string | undefined {
  const cut = typed.lastIndexOf("/") + 1;
  return cut === 0 ? undefined : typed.slice(0, cut);
}

/** Folders that are allowed, as they are written by whoever begins with `~`. */
export function fromHome(typed: string, roots: readonly string[], home: string | null | undefined): readonly string[] {
  if (!home || !/^~($|\/)/.test(typed)) return roots;
  return roots.map((root) => (`${root}/`.startsWith(`${home}/`) ? `~${root.slice(home.length)}` : root));
}

/** `inner` are the folders of the parent, by whichever path the server knows them. */
export function offersFor(typed: string, inner: readonly string[], roots: readonly string[]): string[] {
  if (typed === "") return [];
  const parent = parentOf(typed) ?? "";
  const all = [...roots, ...inner.map((path) => `${parent}${lastPart(path)}`)];
  const begin = typed.toLowerCase();
  const fit = [...new Set(all)].filter((path) => path.toLowerCase().startsWith(begin));
  // What is named whole already is no offer.
  return fit.length === 1 && fit[0] === typed ? [] : fit;
}
