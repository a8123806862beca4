// A bar a day, stacked by model: days and bands go in, an SVG comes out. Pointing at a day says its figures, a press opens it in
// the table; the table says the same in words.

import { useEffect, useRef, useState } from "react";
import { type Shown, shownParts, shownWhole, written } from "../money";
import { counted, modelName } from "../words";
import { type DaySum, placesOf, roundUp, UNTOLD } from "./sums";

type Band = { name: string; models: readonly string[] };

const HEIGHT = 200;
const TOP = 8;
const BOTTOM = 22;
const LEFT = 48;
const LINES = 4;
/** The room that a short name needs. */
const LABEL = 32;

type Props = {
  days: readonly DaySum[];
  bands: readonly Band[];
  /** What each day cost, as it is shown. */
  costs: ReadonlyMap<string, Shown>;
  today: string;
  isEmpty: boolean;
  onOpen: (day: string) => void;
};

export function DayChart({ days, bands, costs, today, isEmpty, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [pointed, point] = useState<number>();
  const most = roundUp(Math.max(0, ...days.map(({ sum }) => sum.costUsd)));
  const places = placesOf(most / LINES);
  const room = Math.max(0, width - LEFT);
  const step = days.length === 0 ? 0 : room / days.length;
  const thick = Math.max(1, Math.min(28, step * 0.68));
  const y = (usd: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - usd / most);
  const day = pointed === undefined ? undefined : days[pointed];
  return (
    <section className="chart-box" aria-label="Cost per day">
      <div className="row">
        <h2>Cost per day</h2>
        <span className="grow" />
        <ul className="legend">
          {bands.map((band, at) => (
            <li key={band.name}>
              <Swatch at={at} />
              {bandName(band)}
            </li>
          ))}
        </ul>
      </div>
      <div className="chart-place" ref={box} onPointerLeave={() => point(undefined)}>
        {width === 0 ? null : (
          <svg className="chart" width={width} height={HEIGHT} role="img" aria-label={spoken(days)}>
            {Array.from({ length: LINES + 1 }, (_, line) => (most / LINES) * line).map((usd) => (
              <g key={usd}>
                <line className="grid" x1={LEFT} x2={width} y1={y(usd)} y2={y(usd)} />
                <text x={LEFT - 8} y={y(usd) + 4} textAnchor="end">
                  ${usd.toFixed(places)}
                </text>
              </g>
            ))}
            {days.map((each, at) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same by keyboard.
              <g
                key={each.day}
                className={each.sum.costUsd > 0 ? "day" : undefined}
                onPointerEnter={() => point(at)}
                onClick={() => each.sum.costUsd > 0 && onOpen(each.day)}
              >
                <rect
                  className={at === pointed ? "hoverband" : "clear"}
                  x={LEFT + at * step}
                  y={TOP}
                  width={step}
                  height={HEIGHT - TOP - BOTTOM}
                />
                <Bar day={each} bands={bands} x={LEFT + at * step + (step - thick) / 2} width={thick} y={y} />
              </g>
            ))}
            {labels(days, today, room).map(({ at, words }) => (
              <text
                key={at}
                x={LEFT + (at + 0.5) * step}
                y={HEIGHT - 6}
                textAnchor={at === days.length - 1 && step < LABEL ? "end" : "middle"}
              >
                {words}
              </text>
            ))}
          </svg>
        )}
        {isEmpty ? (
          <p className="chart-empty">
            <span>No turns in this range.</span>
          </p>
        ) : null}
        {day && pointed !== undefined && day.sum.costUsd > 0 ? (
          <Tip day={day} cost={costs.get(day.day)} bands={bands} x={LEFT + (pointed + 1) * step} width={width} />
        ) : null}
      </div>
    </section>
  );
}

function useWidth(box: React.RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return width;
}

const usdOf = (day: DaySum, band: Band): number =>
  band.models.reduce((sum, model) => sum + (day.models.get(model) ?? 0), 0);

function bandName({ name, models }: Band): string {
  if (name === UNTOLD) return "Not told";
  return models.length > 1 ? name : modelName(name);
}

function Bar(props: { day: DaySum; bands: readonly Band[]; x: number; width: number; y: (usd: number) => number }) {
  const { day, bands, x, width, y } = props;
  let below = 0;
  return bands.map((band, at) => {
    const usd = usdOf(day, band);
    if (usd <= 0) return null;
    const [top, bottom] = [y(below + usd), y(below)];
    below += usd;
    // A line of the ground between two of them tells them apart where colours do not.
    const height = Math.max(0.5, bottom - top - (at > 0 ? 1 : 0));
    return <rect key={band.name} className={`c${at + 1}`} x={x} y={top} width={width} height={height} />;
  });
}

function Swatch({ at }: { at: number }) {
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true" className="swatch">
      <rect className={`c${at + 1}`} width="10" height="10" rx="2" />
    </svg>
  );
}

type TipProps = { day: DaySum; cost: Shown | undefined; bands: readonly Band[]; x: number; width: number };

function Tip({ day, cost = shownWhole(day.sum.costUsd), bands, x, width }: TipProps) {
  const costs = shownParts(
    cost,
    bands.map((band) => usdOf(day, band)),
  );
  const isRight = x > width / 2;
  // Where the day is nobody knows beforehand; the element's own style object is what the content security policy allows.
  const place = isRight ? { right: width - x + 40 } : { left: x + 8 };
  return (
    <div className="tip" style={place}>
      <p className="muted">
        {new Date(day.at).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" })}
      </p>
      <dl>
        {[...bands.keys()].reverse().map((at) => {
          const band = bands[at];
          const usd = band ? usdOf(day, band) : 0;
          const part = costs[at];
          return band && part && usd > 0 ? (
            <div key={band.name}>
              <dt>
                <Swatch at={at} />
                {bandName(band)}
              </dt>
              <dd>{written(part)}</dd>
            </div>
          ) : null;
        })}
        <div className="sum">
          <dt>{counted(day.sessions.length, "session")}</dt>
          <dd>{written(cost)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** A name every so many days, and today. */
function labels(days: readonly DaySum[], today: string, room: number): { at: number; words: string }[] {
  const every = Math.max(1, Math.ceil(days.length / Math.max(1, Math.floor(room / 110))));
  return days.flatMap((day, at) => {
    const fromEnd = days.length - 1 - at;
    if (day.day === today) return [{ at, words: "today" }];
    if (fromEnd % every !== 0) return [];
    const words = new Date(day.at).toLocaleDateString(undefined, { day: "numeric", month: "short" });
    return [{ at, words }];
  });
}

function spoken(days: readonly DaySum[]): string {
  const spent = days.filter(({ sum }) => sum.costUsd > 0).length;
  return `Cost per day, ${counted(days.length, "day")}, ${spent} of them with turns. The table below has the figures.`;
}
