// How full the context is, as a wide bar: ticks at 70 and 85 %, and marks where it is and was compacted. The words below say
// the same.

import { levelOf } from "../../session/header/Meter";

/** Shares in percent. */
type Props = { share: number; compactsAt: number | undefined; compactedAt: readonly number[]; label: string };

export function Gauge({ share, compactsAt, compactedAt, label }: Props) {
  return (
    <svg
      className={`gauge ${levelOf(share)}`}
      viewBox="0 0 100 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <rect className="t" y="2" width="100" height="8" />
      <rect className="f" y="2" width={within(share)} height="8" />
      <rect className="tick" x="70" y="2" width="0.4" height="8" />
      <rect className="tick" x="85" y="2" width="0.4" height="8" />
      {compactedAt.map((at, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: marks do not move.
        <rect key={number} className="past" x={within(at) - 0.2} width="0.4" height="12" />
      ))}
      {compactsAt === undefined ? null : <rect className="next" x={within(compactsAt) - 0.3} width="0.6" height="12" />}
    </svg>
  );
}

const within = (share: number): number => Math.max(0, Math.min(100, share));
