// Each event is told once, however many tabs are open: the name of an event in, true for the first tab that asks out.

const KEY = "quarterdeck.told";
const KEPT = 64;

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

export async function claim(name: string): Promise<boolean> {
  // One tab after the other, where the browser has locks.
  const locks = typeof navigator === "undefined" ? undefined : navigator.locks;
  return locks ? locks.request("quarterdeck.told", () => take(name)) : take(name);
}
