// Where screenshots go. They are taken when a test fails, or on request: `SCREENSHOTS=1` writes them to `target/screenshots/`,
// `UPDATE_SCREENSHOTS=1` also updates those in `docs/screenshots/`.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const isRenewed = process.env.UPDATE_SCREENSHOTS !== undefined;

/** The file of a screenshot, or undefined if none was requested. */
export function picture(name: string): string | undefined {
  if (!isRenewed && process.env.SCREENSHOTS === undefined) return undefined;
  const kept = join(root, "docs/screenshots", `${name}.png`);
  return isRenewed && existsSync(kept) ? kept : inTarget(name);
}

/** The file of the screenshot of a failed test. */
export const pictureOfFailure = (test: string): string => inTarget(`failed-${test.replace(/\W+/g, "-").slice(0, 60)}`);

function inTarget(name: string): string {
  const folder = join(root, "target/screenshots");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
