// The table: days, in them sessions, in them turns. What is folded is not drawn; every line says the sum of the lines in it.

import { Fragment, type ReactNode, useState } from "react";
import type { UsedTurn } from "../../api/search";
import { useSessions } from "../../store/use";
import { Icon } from "../Icon";
import { exactDollars, type Shown, shownParts, written } from "../money";
import { placeHref } from "../route";
import { clock, count, counted, percent } from "../words";
import { type DaySum, type SessionSum, type Sum, sumOf, total } from "./sums";

/** So many of the sessions of a day, and of the turns of a session, are drawn at first; the rest is one line with its sum. */
const SESSIONS = 12;
const TURNS = 20;
const DAYS = 60;

type Props = {
  days: readonly DaySum[];
  /** What each of them cost, as it is shown. */
  costs: ReadonlyMap<string, Shown>;
  today: string;
  opened: ReadonlySet<string>;
  onOpened: (opened: ReadonlySet<string>) => void;
};

export function UsageTable({ days, costs, today, opened, onOpened }: Props) {
  const [shown, setShown] = useState(DAYS);
  const most = Math.max(0, ...days.map(({ sum }) => sum.costUsd));
  const toggle = (key: string) => {
    const next = new Set(opened);
    if (!next.delete(key)) next.add(key);
    onOpened(next);
  };
  return (
    <div className="tbl">
      <table className="usage-table">
        <thead>
          <tr>
            <th scope="col">Day, session, turn</th>
            <th scope="col" className="r wide">
              Turns
            </th>
            <th scope="col" className="r wide">
              Tokens in
            </th>
            <th scope="col" className="r wide">
              Cached
            </th>
            <th scope="col" className="r wide">
              Tokens out
            </th>
            <th scope="col" className="r wide">
              Share
            </th>
            <th scope="col" className="r">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>
          {days.slice(0, shown).map((day) => (
            <Fragment key={day.day}>
              <Line
                level={0}
                name={dayName(day, today)}
                sum={day.sum}
                cost={costs.get(day.day)}
                most={most}
                isOpen={opened.has(day.day)}
                onToggle={() => toggle(day.day)}
              />
              {opened.has(day.day) ? (
                <Sessions
                  day={day}
                  cost={costs.get(day.day)}
                  most={day.sum.costUsd}
                  opened={opened}
                  onToggle={toggle}
                />
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
      {days.length > shown ? (
        <button type="button" className="btn quiet sm more-days" onClick={() => setShown(shown + DAYS)}>
          {counted(days.length - shown, "earlier day")}
        </button>
      ) : null}
    </div>
  );
}

function dayName({ day, at }: DaySum, today: string): string {
  const date = new Date(at).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" });
  return day === today ? `Today, ${date.replace(/^\S+,? /, "")}` : date;
}

const costsOf = (rows: readonly { sum: Sum }[]): number[] => rows.map(({ sum }) => sum.costUsd);

type Inner = {
  day: DaySum;
  cost: Shown | undefined;
  most: number;
  opened: ReadonlySet<string>;
  onToggle: (key: string) => void;
};

function Sessions({ day, cost, most, opened, onToggle }: Inner) {
  const sessions = useSessions();
  const allKey = `${day.day} all`;
  const shown = opened.has(allKey) ? day.sessions : day.sessions.slice(0, SESSIONS);
  const rest = day.sessions.slice(shown.length);
  const costs = partsOf(cost, [...costsOf(shown), total(rest).costUsd]);
  return (
    <>
      {shown.map((one, at) => {
        const key = `${day.day} ${one.session}`;
        return (
          <Fragment key={key}>
            <Line
              level={1}
              name={sessions.title(one.session) ?? one.title ?? "New session"}
              sum={one.sum}
              cost={costs[at]}
              most={most}
              isOpen={opened.has(key)}
              onToggle={() => onToggle(key)}
            />
            {opened.has(key) ? (
              <Turns one={one} cost={costs[at]} isAll={opened.has(`${key} all`)} onAll={() => onToggle(`${key} all`)} />
            ) : null}
          </Fragment>
        );
      })}
      {rest.length === 0 ? null : (
        <Line
          level={1}
          name={counted(rest.length, "more session")}
          sum={total(rest)}
          cost={costs.at(-1)}
          most={most}
          isOpen={false}
          onToggle={() => onToggle(allKey)}
        />
      )}
    </>
  );
}

/** None of the rest where there is none: it costs nothing, and takes nothing. */
const partsOf = (whole: Shown | undefined, parts: readonly number[]): Shown[] =>
  whole === undefined ? [] : shownParts(whole, parts);

type TurnsProps = { one: SessionSum; cost: Shown | undefined; isAll: boolean; onAll: () => void };

function Turns({ one, cost, isAll, onAll }: TurnsProps) {
  const shown = isAll ? one.turns : one.turns.slice(0, TURNS);
  const rest = total(one.turns.slice(shown.length).map((turn) => ({ sum: sumOf(turn) })));
  const costs = partsOf(cost, [...shown.map(({ costUsd }) => costUsd), rest.costUsd]);
  return (
    <>
      {shown.map((turn, at) => (
        <TurnLine key={turn.number} turn={turn} cost={costs[at]} />
      ))}
      {shown.length === one.turns.length ? null : (
        <Figures
          level={2}
          sum={rest}
          cost={costs.at(-1)}
          name={
            <button type="button" className="fold-button" onClick={onAll}>
              {counted(one.turns.length - shown.length, "earlier turn")}
            </button>
          }
        />
      )}
    </>
  );
}

/** Turns that did not end well say so. */
const OUTCOMES: Record<string, string> = {
  interrupted: "interrupted",
  failed: "failed",
  maxTurns: "too many rounds",
  maxBudget: "budget reached",
  lost: "lost",
  command: "command",
};

function TurnLine({ turn, cost }: { turn: UsedTurn; cost: Shown | undefined }) {
  const outcome = OUTCOMES[turn.outcome];
  const isBad = outcome !== undefined && turn.outcome !== "command";
  return (
    <Figures
      level={2}
      sum={sumOf(turn)}
      cost={cost}
      name={
        <a className="turn-link" href={placeHref({ page: "session", id: turn.session })}>
          <time>{clock(turn.endedAt)}</time>
          <span className="cut">{turn.prompt?.replace(/\s+/g, " ") || `Turn ${turn.number}`}</span>
          {outcome === undefined ? null : <span className={isBad ? "is-danger" : "muted"}>{outcome}</span>}
        </a>
      }
    />
  );
}

type LineProps = {
  level: 0 | 1;
  name: string;
  sum: Sum;
  cost: Shown | undefined;
  most: number;
  isOpen: boolean;
  onToggle: () => void;
};

function Line({ level, name, sum, cost, most, isOpen, onToggle }: LineProps) {
  return (
    <Figures
      level={level}
      sum={sum}
      cost={cost}
      isOpen={isOpen}
      share={most === 0 ? 0 : sum.costUsd / most}
      name={
        <button type="button" className="fold-button" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? "down" : "right"} />
          <span className="cut">{name}</span>
        </button>
      }
    />
  );
}

type FigureProps = {
  level: 0 | 1 | 2;
  name: ReactNode;
  sum: Sum;
  cost: Shown | undefined;
  share?: number;
  isOpen?: boolean;
};

function Figures({ level, name, sum, cost, share, isOpen = false }: FigureProps) {
  return (
    <tr className={`lvl${level}${isOpen && level === 0 ? " open" : ""}`}>
      <th scope="row" className="name">
        {name}
      </th>
      <td className="r wide">{level === 2 ? "" : sum.turns.toLocaleString()}</td>
      <td className="r wide">{count(sum.input)}</td>
      <td className="r wide">{sum.input === 0 ? "" : percent((sum.cached / sum.input) * 100)}</td>
      <td className="r wide">{count(sum.output)}</td>
      <td className="r wide">
        {share === undefined ? null : (
          <svg className="share" viewBox="0 0 56 6" preserveAspectRatio="none" aria-hidden="true">
            <rect className="t" width="56" height="6" rx="3" />
            <rect className="f" width={Math.max(share > 0 ? 2 : 0, share * 56)} height="6" rx="3" />
          </svg>
        )}
      </td>
      <td className="r" title={exactDollars(sum.costUsd)}>
        {cost === undefined ? null : written(cost)}
      </td>
    </tr>
  );
}
