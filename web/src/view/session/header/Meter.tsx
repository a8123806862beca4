// A small bar that fills up: ochre past 70 %, red past 85 %, with ticks there. The words beside it say the same.

export type Level = "" | "warn" | "danger";

export function levelOf(percentage: number): Level {
  return percentage >= 85 ? "danger" : percentage >= 70 ? "warn" : "";
}

export function Meter({ percentage, label }: { percentage: number; label: string }) {
  const share = Math.max(0, Math.min(100, percentage));
  return (
    <svg
      className={`ctx ${levelOf(percentage)}`}
      viewBox="0 0 64 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect className="t" width="64" height="6" rx="3" />
      <rect className="f" width={(share * 64) / 100} height="6" rx="3" />
      <rect className="tick" x="44.3" width="1" height="6" />
      <rect className="tick" x="53.9" width="1" height="6" />
    </svg>
  );
}

export function levelClass(percentage: number): string {
  const level = levelOf(percentage);
  return level === "" ? "" : `is-${level} strong`;
}
