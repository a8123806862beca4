// What is kept in this browser, by name: text in, text out. A browser that keeps nothing, or is not allowed to, begins anew each time;
// what is changed then lasts as long as the page.

export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keepText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // It is full, or somebody has forbidden it.
  }
}

/** What one tab leaves to itself, for when it is loaded again: nobody else reads it, and it is gone with the tab. */
export function leaveText(name: string, text: string | undefined): void {
  inTab((store) => (text === undefined ? store.removeItem(name) : store.setItem(name, text)));
}

/** It is given once. */
export function takeText(name: string): string | undefined {
  const text = inTab((store) => store.getItem(name)) ?? undefined;
  leaveText(name, undefined);
  return text;
}

function inTab<T>(use: (store: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
