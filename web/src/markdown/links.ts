// Which addresses may become links: one in, the same out if it leads to a page or a mail, else nothing. Everything that an agent
// writes is untrusted, so this is the only door.

const ALLOWED = new Set(["http:", "https:", "mailto:"]);

export function safeHref(address: string): string | undefined {
  try {
    // Without a base: what is relative would lead into our own page.
    const url = new URL(address);
    return ALLOWED.has(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
