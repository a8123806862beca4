// A sum of money as people write it in, a number out. Pure.

/** Nothing if there is nothing; `wrong` if it is no sum. */
export function readDollars(text: string): number | undefined | "wrong" {
  const plain = text
    .trim()
    .replace(/^\$\s*/, "")
    .replace(",", ".");
  if (plain === "") return undefined;
  // Nothing else that is a number for a computer: no `1e3`, no `0x10`.
  return /^\d{1,9}(\.\d+)?$/.test(plain) ? Number(plain) : "wrong";
}
