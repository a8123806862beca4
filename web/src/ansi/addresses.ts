// Addresses of the web in a text: the text in, its parts out, of which some are addresses. Pure.

import { safeHref } from "../markdown/links";

export type Part = { text: string; href?: string };

const ADDRESS = /https?:\/\/[^\s<>"'`\p{Cc}]+/gu;

/** What ends a sentence or a bracket around an address is not of it. */
const AFTER = /[.,;:!?)\]}]+$/;

export function splitAddresses(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = found.replace(AFTER, "");
    const href = safeHref(address);
    if (href === undefined) continue;
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: address, href });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
