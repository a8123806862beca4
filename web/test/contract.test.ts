// The twin of the reducer does what the one in Rust does: `fixtures/contract` was written by that.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Change, State } from "../src/generated";
import { hold, patch, release } from "../src/store/patch";

type Contract = { about: string; before: State; changes: Change[]; after: State };

const folder = join(import.meta.dirname, "../../fixtures/contract");
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("the contract with Rust", () => {
  test("there is one", () => {
    expect(names.length).toBeGreaterThan(10);
  });

  test.each(names)("%s", (name) => {
    const contract = JSON.parse(readFileSync(join(folder, name), "utf8")) as Contract;
    const held = hold(contract.before);
    for (const change of contract.changes) patch(held, change);
    expect(release(held)).toEqual(contract.after);
  });
});
