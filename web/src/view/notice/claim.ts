// Each event is told once, however many tabs are open: the name of an event in, true for the first tab that asks out.

const KEY = "quarterdeck.told";
const KEPT = 64;
/** What one tab writes down reaches another one later, if that is a process of its own; until then a lock says it. */
const HELD_MS = 60_000;

function take(name: string): boolean {
  try {
    const told: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const names = Array.isArray(told) ? told : [];
    if (names.includes(name)) return false;
    localStorage.setItem(KEY, JSON.stringify([...names.slice(1 - KEPT), name]));
  } catch {
    // A browser that keeps nothing tells it in each tab.
  }
  return true;
}

export function claim(name: string): Promise<boolean> {
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  if (!locks) return Promise.resolve(take(name));
  return new Promise((answer) => {
    const held = locks.request(`${KEY}.${name}`, { ifAvailable: true }, (lock) => {
      const isFirst = lock !== null && take(name);
      answer(isFirst);
      return isFirst ? new Promise((done) => setTimeout(done, HELD_MS)) : undefined;
    });
    // Where locks are refused.
    held.catch(() => answer(take(name)));
  });
}
