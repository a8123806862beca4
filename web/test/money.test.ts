// Figures add up as they are shown.

import { describe, expect, test } from "vitest";
import { shownParts, shownWhole, written } from "../src/view/money";

const shown = (usd: number, parts: number[]) => shownParts(shownWhole(usd), parts).map(written);

describe("sums of money", () => {
  test("three thirds are the whole", () => {
    expect(written(shownWhole(10))).toBe("$10.00");
    expect(shown(10, [10 / 3, 10 / 3, 10 / 3])).toEqual(["$3.34", "$3.33", "$3.33"]);
  });

  test("a small sum has more places", () => {
    expect(written(shownWhole(0.0898))).toBe("$0.0898");
    expect(shown(0.0898, [0.0449, 0.0449])).toEqual(["$0.0449", "$0.0449"]);
    expect(written(shownWhole(0))).toBe("$0.00");
  });

  test("what is exact stays, also in binary fractions", () => {
    expect(shown(1.1, [0.7, 0.1, 0.3])).toEqual(["$0.70", "$0.10", "$0.30"]);
  });

  test("one that takes away is a part as well", () => {
    expect(shown(2, [2.005, -0.005])).toEqual(["$2.01", "−$0.01"]);
  });

  test("parts of parts add up, for any figures", () => {
    let seed = 7;
    const next = () => {
      seed = (seed * 16807) % 2147483647;
      return (seed % 9_000_000) / 1e6 / 7;
    };
    for (let round = 0; round < 200; round++) {
      const rows = Array.from({ length: 1 + (round % 9) }, () => Array.from({ length: 1 + (round % 5) }, next));
      const sums = rows.map((row) => row.reduce((sum, usd) => sum + usd, 0));
      const whole = shownWhole(sums.reduce((sum, usd) => sum + usd, 0));
      const parts = shownParts(whole, sums);
      expect(parts.reduce((sum, { units }) => sum + units, 0)).toBe(whole.units);
      parts.forEach((part, at) => {
        const inner = shownParts(part, rows[at] ?? []);
        expect(inner.reduce((sum, { units }) => sum + units, 0)).toBe(part.units);
        inner.forEach(({ units, places }, number) => {
          expect(Math.abs(units / 10 ** places - (rows[at]?.[number] ?? 0))).toBeLessThan(10 ** -places);
        });
      });
    }
  });
});
