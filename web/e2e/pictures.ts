// Where pictures of the page go, for people to look at. Unless a test fails, they are taken only when somebody asks: `SCREENSHOTS=1` puts
// them into `target/screenshots/`, `UPDATE_SCREENSHOTS=1` also renews those that are in `docs/screenshots/`.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const isRenewed = process.env.UPDATE_SCREENSHOTS !== undefined;

/** The file of a picture, if it is wanted. */
export function picture(name: string): string | undefined {
  if (!isRenewed && process.env.SCREENSHOTS === undefined) return undefined;
  const kept = join(root, "docs/screenshots", `${name}.png`);
  return isRenewed && existsSync(kept) ? kept : inTarget(name);
}

/** The file of a picture of what was on a screen when a test failed. */
export const pictureOfFailure = (test: string): string => inTarget(`failed-${test.replace(/\W+/g, "-").slice(0, 60)}`);

function inTarget(name: string): string {
  const folder = join(root, "target/screenshots");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
