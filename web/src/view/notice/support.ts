// May the browser show notifications? What it says in, that in words out.

export type Support = "granted" | "ask" | "denied" | "insecure" | "missing";

export function support(): Support {
  if (!("Notification" in globalThis)) return globalThis.isSecureContext ? "missing" : "insecure";
  // Browsers refuse without asking where the page did not come over a safe way.
  if (!globalThis.isSecureContext) return "insecure";
  return Notification.permission === "default" ? "ask" : Notification.permission;
}

export const SUPPORT_WORDS: Record<Support, string> = {
  granted: "This browser may show notifications.",
  ask: "This browser has not been asked yet.",
  denied:
    "This browser was told not to show any. Allow them for this address in the browser’s own settings, then come back.",
  insecure:
    "Browsers show notifications only for pages that come over HTTPS or from this computer. Open Quarterdeck that way, or use the sound.",
  missing: "This browser has no notifications for pages. On an iPhone, put the page on the home screen first.",
};
