// A name for a preset that no other one has: the names that there are go in, a new one comes out. Pure.

export function freeName(names: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? "My preset" : `My preset ${number}`;
    if (!names.includes(name)) return name;
  }
}
