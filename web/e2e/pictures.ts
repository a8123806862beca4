// Where pictures of the page go. Not to the ones that are kept, unless somebody says so: a test should not change what is in the
// repository. `UPDATE_SCREENSHOTS=1` renews those that are in `docs/screenshots/`; the others are in `target/screenshots/`.

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const isRenewed = process.env.UPDATE_SCREENSHOTS !== undefined;

/** The file of a picture. */
export function picture(name: string): string {
  const kept = join(root, "docs/screenshots", `${name}.png`);
  if (isRenewed && existsSync(kept)) return kept;
  const folder = join(root, "target/screenshots");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
