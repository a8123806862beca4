// What a new session is to begin with when somebody comes for it from elsewhere: given once, to the dialog that opens next.

import type { Options } from "../../api/server";
import { go } from "../route";

export type Prefill = { options: Options; message: string };

let given: Prefill | undefined;

/** Opens the dialog with this in it. */
export function startWith(prefill: Prefill): void {
  given = prefill;
  go({ page: "new" });
}

export function takePrefill(): Prefill | undefined {
  const now = given;
  given = undefined;
  return now;
}
