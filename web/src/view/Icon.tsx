// The icons, drawn on a grid of 16: strokes in the colour of the text. No markup from strings.

import type { ReactElement } from "react";

const SHAPES = {
  inbox: (
    <path d="M2.5 9.5 4.2 3.6A1 1 0 0 1 5.2 2.9h5.6a1 1 0 0 1 1 .7l1.7 5.9v2.6a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 9.5h3l1 1.6h3l1-1.6h3" />
  ),
  sessions: <path d="M2.5 4h11M2.5 8h11M2.5 12h7" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="m10.2 10.2 3.3 3.3" />
    </>
  ),
  usage: <path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6" />,
  settings: (
    <>
      <path d="M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6" />
      <circle cx="10.2" cy="4.5" r="1.7" />
      <circle cx="5.8" cy="11.5" r="1.7" />
    </>
  ),
  device: (
    <>
      <rect x="4.5" y="1.8" width="7" height="12.4" rx="1.5" />
      <path d="M7.3 11.8h1.4" />
    </>
  ),
  key: (
    <>
      <circle cx="5" cy="11" r="2.700" />
      <path d="m7 9 6-6M10.600 5.400l2 2" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  right: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  down: <path d="m3.5 6 4.5 4.5L12.5 6" />,
  up: <path d="m3.5 10 4.5-4.5L12.5 10" />,
  left: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  terminal: (
    <>
      <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.8" />
      <path d="m4.6 6 2 2-2 2M8.4 10.2h3" />
    </>
  ),
  edit: <path d="m10.6 2.9 2.5 2.5-7.3 7.3-3.2.7.7-3.2zM9.1 4.4l2.5 2.5" />,
  file: <path d="M4 1.9h5l3 3v8.2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V2.9a1 1 0 0 1 1-1zM8.8 2v3.2H12" />,
  read: (
    <path d="M4 1.9h5l3 3v8.2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V2.9a1 1 0 0 1 1-1zM8.8 2v3.2H12M5.3 8h4.4M5.3 10.7h3" />
  ),
  globe: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M2.3 8h11.4M8 2.3c3.3 3.4 3.3 8 0 11.4M8 2.3c-3.3 3.4-3.3 8 0 11.4" />
    </>
  ),
  agent: (
    <>
      <circle cx="4" cy="3.6" r="1.7" />
      <circle cx="12" cy="8" r="1.7" />
      <circle cx="4" cy="12.4" r="1.7" />
      <path d="M4 5.3v5.4M4 8h6.3" />
    </>
  ),
  branch: (
    <>
      <circle cx="4.5" cy="3.5" r="1.6" />
      <circle cx="4.5" cy="12.5" r="1.6" />
      <circle cx="11.5" cy="5" r="1.6" />
      <path d="M4.5 5.1v5.8M11.5 6.6c0 2.4-2.4 2.9-4.2 3.1" />
    </>
  ),
  think: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M5.4 8h.01M8 8h.01M10.6 8h.01" />
    </>
  ),
  check: <path d="m3 8.5 3.3 3.3L13 4.8" />,
  x: <path d="m4 4 8 8M12 4l-8 8" />,
  okring: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m5.4 8.2 1.9 1.9 3.4-3.8" />
    </>
  ),
  bad: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m6 6 4 4M10 6l-4 4" />
    </>
  ),
  circle: <circle cx="8" cy="8" r="5.7" />,
  arc: (
    <>
      <circle cx="8" cy="8" r="5.7" opacity=".25" />
      <path d="M8 2.3A5.7 5.7 0 0 1 13.7 8" />
    </>
  ),
  blocked: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M5.4 8h5.2" />
    </>
  ),
  shield: <path d="M8 1.9 3 3.7v3.8c0 3.2 2.1 5.5 5 6.6 2.9-1.1 5-3.4 5-6.6V3.7z" />,
  ask: <path d="M5.7 5.8a2.3 2.3 0 1 1 3.5 2c-.8.5-1.2 1-1.2 1.9M8 12.3h.01" />,
  clock: (
    <>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 4.8V8l2.2 1.6" />
    </>
  ),
  stop: <rect x="3.5" y="3.5" width="9" height="9" rx="1.5" />,
  send: <path d="M8 13V3M3.8 7.2 8 3l4.2 4.2" />,
  attach: (
    <path d="m13 7.3-5 5a3.2 3.2 0 0 1-4.6-4.6l5.3-5.2a2.1 2.1 0 0 1 3 3L6.6 10.700a1 1 0 0 1-1.5-1.500L9.7 4.7" />
  ),
  at: (
    <>
      <circle cx="8" cy="8" r="2.3" />
      <path d="M10.3 5.7v3.200a1.6 1.6 0 0 0 3.2 0V8a5.5 5.5 0 1 0-2.2 4.4" />
    </>
  ),
  slash: (
    <>
      <rect x="2.3" y="2.3" width="11.4" height="11.4" rx="2" />
      <path d="m6.5 11 3-6" />
    </>
  ),
  eye: (
    <>
      <path d="M1.6 8S3.9 3.7 8 3.7 14.4 8 14.4 8 12.1 12.3 8 12.3 1.6 8 1.6 8z" />
      <circle cx="8" cy="8" r="1.9" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.500a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1" />
    </>
  ),
  more: <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" />,
  drag: <path d="M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01" />,
  panel: (
    <>
      <rect x="1.8" y="2.8" width="12.4" height="10.4" rx="1.8" />
      <path d="M10 2.800v10.4" />
    </>
  ),
  par: <path d="M4 3v10M8 3v10M12 3v10" />,
  folder: <path d="M2 4.200a1 1 0 0 1 1-1h3.200l1.5 1.600H13a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z" />,
  warn: <path d="M8 2.4 14.2 13H1.800zM8 6.500v3M8 11.200h.01" />,
  refresh: <path d="M13 8a5 5 0 1 1-1.5-3.600M13 2.500v2.700h-2.7" />,
  rewind: <path d="M3 4.200v3.300h3.300M3.300 7.300A5.200 5.200 0 1 1 4.400 11.500" />,
  play: <path d="M5 3.200v9.600L12.5 8z" />,
  message: (
    <path d="M3.5 2.800h9a1 1 0 0 1 1 1v6.400a1 1 0 0 1-1 1H8l-3 2.500v-2.500H3.500a1 1 0 0 1-1-1V3.800a1 1 0 0 1 1-1z" />
  ),
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  raw: (
    <path d="M6 2.700H5.300a1.6 1.6 0 0 0-1.600 1.600v2.200L2.500 8l1.200 1.500v2.200a1.6 1.6 0 0 0 1.600 1.600H6M10 2.700h.700a1.6 1.6 0 0 1 1.600 1.600v2.200L13.500 8l-1.200 1.500v2.200a1.6 1.6 0 0 1-1.600 1.600H10" />
  ),
  link: <path d="M9.5 3H13v3.500M13 3 7.5 8.500M11 9.500V12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1h2.5" />,
} satisfies Record<string, ReactElement>;

export type IconName = keyof typeof SHAPES;

/** An icon that says nothing by itself; `label` makes it speak. */
export function Icon({ name, className, label }: { name: IconName; className?: string; label?: string }) {
  const classes = className ? `ic ${className}` : "ic";
  const spoken = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it is hidden, or has a label; the rule does not see it.
    <svg className={classes} viewBox="0 0 16 16" {...spoken}>
      {SHAPES[name]}
    </svg>
  );
}

/** The arc that turns while something runs. */
export function Arc({ className = "is-running" }: { className?: string }) {
  return <Icon name="arc" className={`spin ${className}`} />;
}

/** The mark: a small hull with a raised deck and a pennant. */
export function Mark() {
  return (
    <svg className="ic mark" viewBox="0 0 28 28" role="img" aria-label="Quarterdeck">
      <path d="M4 19.500h20l-2.2 4.200a1.5 1.5 0 0 1-1.3.8H7.500a1.5 1.5 0 0 1-1.3-.8z M4 19.500v-6.200h8.500v6.2 M8.2 13.300V3.500l8 3.6-8 3.2" />
    </svg>
  );
}
