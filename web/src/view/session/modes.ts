// The permission modes that can be chosen: what is so now in, the modes in their order out. Pure.

export const BYPASS = "bypassPermissions";

const ALWAYS = ["default", "acceptEdits", "plan", "dontAsk"];

/** The last version that is known to have it; it is gone in later ones. */
const LAST_WITH_DELEGATE = [2, 1, 38];

function isAtMost(version: string, most: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [at, bound] of most.entries()) {
    const part = parts[at] ?? 0;
    if (Number.isNaN(part)) return false;
    if (part !== bound) return part < bound;
  }
  return true;
}

export function modesOf(now: {
  mode: string | undefined;
  version: string | undefined;
  /** Does the model have it? Nothing if nobody has said so. */
  hasAuto: boolean | undefined;
  mayBypass: boolean;
}): string[] {
  const isOld = now.version !== undefined && isAtMost(now.version, LAST_WITH_DELEGATE);
  const modes = [
    ...ALWAYS,
    ...((now.hasAuto ?? !isOld) ? ["auto"] : []),
    ...(isOld ? ["delegate"] : []),
    ...(now.mayBypass ? [BYPASS] : []),
  ];
  const { mode } = now;
  return mode === undefined || modes.includes(mode) ? modes : [...modes, mode];
}
