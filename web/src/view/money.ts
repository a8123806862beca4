// Sums of money and what they are made of: exact dollars in; figures out that add up as they stand there, each at most the last
// place off. Pure.

/** A sum as it is shown: so many hundredths of a dollar, or ten thousandths. */
export type Shown = { units: number; places: 2 | 4 };

/** A whole as it is shown; small ones with more places, so that their parts are not nothing. */
export function shownWhole(usd: number): Shown {
  const places = usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2;
  return { units: Math.round(usd * 10 ** places), places };
}

/**
 * Its parts, with as many places. Rounded one by one they may be a cent more or less than their sum: so what is left over goes to
 * those that lost most.
 */
export function shownParts(whole: Shown, parts: readonly number[]): Shown[] {
  const { places } = whole;
  const exact = parts.map((usd) => usd * 10 ** places);
  // The dust of binary fractions is no part of a cent.
  const units = exact.map((value) => Math.floor(value + 1e-6));
  const left = whole.units - units.reduce((sum, value) => sum + value, 0);
  const byLoss = [...exact.keys()].sort((a, b) => lossOf(b) - lossOf(a) || a - b);
  function lossOf(at: number): number {
    return (exact[at] ?? 0) - (units[at] ?? 0);
  }
  // Parts that are not those of the whole are left as they are.
  const raised = new Set(left > 0 && left <= parts.length ? byLoss.slice(0, left) : []);
  return units.map((value, at) => ({ units: raised.has(at) ? value + 1 : value, places }));
}

export function written({ units, places }: Shown): string {
  return `${units < 0 ? "−" : ""}$${(Math.abs(units) / 10 ** places).toFixed(places)}`;
}

/** All of its places, for who points at it. */
export function exactDollars(usd: number): string {
  return `$${usd.toFixed(6)}`;
}
