import { rateFor } from "./tax";
import type { Line } from "./types";

/** The total of a cart in cents, tax included. */
export function cartTotal(lines: Line[], country: string): number {
  let total = 0;
  for (const line of lines) {
    const net = line.price * line.quantity;
    const rate = rateFor(country, line.category);
    total += net + net * rate;
  }
  return Math.round(total);
}
