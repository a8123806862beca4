// A small bar that fills up: ochre past 70 %, red past 85 %, with ticks there. The words beside it say the same.

export type Level = "" | "warn" | "danger";

export function levelOf(percentage: number): Level {
  return percentage >= 85 ? "danger" : percentage >= 70 ? "warn" : "";
}

/** A wide one is stretched, and its round ends with it: they are narrower before. */
export function Meter({ percentage, label, isWide }: { percentage: number; label: string; isWide?: boolean }) {
  const ends = { rx: isWide ? 0.7 : 3, ry: 3 };
  const share = Math.max(0, Math.min(100, percentage));
  return (
    <svg
      className={`ctx ${levelOf(percentage)}`}
      viewBox="0 0 64 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect className="t" width="64" height="6" {...ends} />
      <rect className="f" width={(share * 64) / 100} height="6" {...ends} />
      <rect className="tick" x="44.3" width={ends.rx / 3} height="6" />
      <rect className="tick" x="53.9" width={ends.rx / 3} height="6" />
    </svg>
  );
}

export function levelClass(percentage: number): string {
  const level = levelOf(percentage);
  return level === "" ? "" : `is-${level} strong`;
}
