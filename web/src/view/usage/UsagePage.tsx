// What was spent: figures, a bar a day, and a table from the day to the turn. All of it is added up from the same turns.

import { useEffect, useMemo, useState } from "react";
import { type UsedTurn, usedTurns } from "../../api/search";
import { useOwn } from "../../store/own";
import { useSessionList } from "../../store/use";
import { Arc, Icon } from "../Icon";
import { type Shown, shownParts, shownWhole, written } from "../money";
import { useNow } from "../now";
import { Menu } from "../shell/Menu";
import { useAction } from "../shell/useAction";
import { count, counted, dollars, lastPart, percent } from "../words";
import { csv } from "./csv";
import { DayChart } from "./DayChart";
import { bands, calendar, type DaySum, dayOf, daysOf, type Sum, total } from "./sums";
import { UsageTable } from "./UsageTable";

const RANGES = [7, 30, 90, undefined] as const;
type Range = (typeof RANGES)[number];

/** A bar a day: more days than this are not told apart. */
const MOST_DAYS = 366;
const DAY_MS = 86_400_000;

export default function UsagePage() {
  const [range, setRange] = useState<Range>(30);
  const [project, setProject] = useState<string>();
  const { turns, isBusy, error, isCut, again } = useTurns(range);
  const now = useNow(true, 60_000);
  const chosen = useMemo(
    () => (turns ?? []).filter(({ cwd }) => project === undefined || cwd === project),
    [turns, project],
  );
  const days = useMemo(() => daysOf(chosen), [chosen]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const sum = total(days);
  const cost = shownWhole(sum.costUsd);
  const costs = costsOf(cost, days);
  const today = dayOf(now);
  const isEmpty = turns !== undefined && days.length === 0;
  return (
    <main className="main page usage-page">
      <header className="page-head">
        <h1>Usage</h1>
        {isBusy ? <Arc /> : null}
        <span className="grow" />
        <RangeChoice range={range} onChange={setRange} />
        <ProjectChoice turns={turns ?? []} project={project} onChange={setProject} />
        <button type="button" className="btn" disabled={chosen.length === 0} onClick={() => save(chosen, today)}>
          Export CSV
        </button>
      </header>
      <div className="page-body">
        {error === undefined ? null : (
          <p className="strip usage-error" role="alert">
            <Icon name="warn" className="is-danger" />
            {error}
            <button type="button" className="btn sm" onClick={again}>
              Try again
            </button>
          </p>
        )}
        {turns === undefined ? null : (
          <>
            <Figures
              sum={sum}
              cost={cost}
              sessions={new Set(chosen.map(({ session }) => session)).size}
              today={costs.get(today) ?? shownWhole(0)}
            />
            <DayChart
              days={calendar(days, range === undefined ? undefined : fromOf(range, now), now, MOST_DAYS)}
              bands={bands(days)}
              costs={costs}
              today={today}
              isEmpty={isEmpty}
              onOpen={(day) => setOpened(new Set([day]))}
            />
            {isEmpty ? null : (
              <UsageTable days={days} costs={costs} today={today} opened={opened} onOpened={setOpened} />
            )}
            <p className="hint usage-note">
              List price; your plan may bill otherwise.{" "}
              {isCut
                ? `Only the last ${counted(chosen.length, "turn")} are told of: choose a shorter range.`
                : `Every figure is a sum of what the agent said at the end of each turn: ${counted(sum.turns, "turn")}, all accounted for.`}
            </p>
          </>
        )}
      </div>
    </main>
  );
}

/** The first midnight of a range that ends today. */
function fromOf(days: number, now: number): number {
  const date = new Date(new Date(now).setHours(0, 0, 0, 0));
  date.setDate(date.getDate() - (days - 1));
  return date.getTime();
}

function useTurns(range: Range) {
  const [told, setTold] = useState<{ turns: readonly UsedTurn[]; more: boolean }>();
  const [turn, setTurn] = useState(0);
  const { run, isBusy, error } = useAction();
  // A turn that has ended is asked for.
  const ended = useSessionList().reduce((sum, row) => sum + row.turns, 0);
  useEffect(() => {
    // Asked again when somebody presses for it, or a turn has ended.
    void [turn, ended];
    const abort = new AbortController();
    run(async () => {
      const from = range === undefined ? undefined : fromOf(range, Date.now());
      const next = await usedTurns(from, abort.signal).catch((cause: unknown) => {
        if (abort.signal.aborted) return undefined;
        throw cause;
      });
      if (next !== undefined) setTold(next);
    });
    return () => abort.abort();
  }, [range, turn, ended, run]);
  return { turns: told?.turns, isCut: told?.more ?? false, isBusy, error, again: () => setTurn(turn + 1) };
}

function RangeChoice({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  return (
    <fieldset className="seg range">
      <legend className="vh">Range</legend>
      {RANGES.map((each) => (
        <button key={each ?? "all"} type="button" aria-pressed={each === range} onClick={() => onChange(each)}>
          {each === undefined ? "All" : `${each} days`}
        </button>
      ))}
    </fieldset>
  );
}

function ProjectChoice(props: {
  turns: readonly UsedTurn[];
  project: string | undefined;
  onChange: (project: string | undefined) => void;
}) {
  const { turns, project, onChange } = props;
  const folders = [...new Set([...turns.flatMap(({ cwd }) => cwd ?? []), ...(project ? [project] : [])])].sort();
  const entry = (folder: string) => ({
    label: lastPart(folder),
    hint: folder,
    checked: project === folder,
    choose: () => onChange(folder),
  });
  return (
    <Menu
      label="Project"
      className="btn"
      button={
        <>
          {project === undefined ? "All projects" : lastPart(project)}
          <Icon name="down" />
        </>
      }
      sections={[
        {
          entries: [
            { label: "All projects", checked: project === undefined, choose: () => onChange(undefined) },
            ...folders.map(entry),
          ],
        },
      ]}
    />
  );
}

/** What each day cost, so that the days add up to the whole. */
function costsOf(whole: Shown, days: readonly DaySum[]): Map<string, Shown> {
  const parts = shownParts(
    whole,
    days.map(({ sum }) => sum.costUsd),
  );
  return new Map(days.flatMap(({ day }, at) => (parts[at] === undefined ? [] : [[day, parts[at]] as const])));
}

function Figures({ sum, cost, sessions, today }: { sum: Sum; cost: Shown; sessions: number; today: Shown }) {
  const cap = useDayCap();
  const cached = sum.input === 0 ? undefined : percent((sum.cached / sum.input) * 100);
  return (
    <dl className="figures">
      <Figure name="Cost" value={written(cost)} />
      <Figure name="Today" value={written(today)} small={cap === undefined ? undefined : `cap ${dollars(cap)}`} />
      <Figure name="Turns" value={sum.turns.toLocaleString()} small={`in ${counted(sessions, "session")}`} />
      <Figure
        name="Tokens in"
        value={count(sum.input)}
        small={cached === undefined ? undefined : `${cached} from cache`}
      />
      <Figure name="Tokens out" value={count(sum.output)} />
    </dl>
  );
}

function Figure({ name, value, small }: { name: string; value: string; small?: string | undefined }) {
  return (
    <div className="figure">
      <dt className="label">{name}</dt>
      <dd className="v">
        {value} {small === undefined ? null : <small>{small}</small>}
      </dd>
    </div>
  );
}

/** What may be spent in a day, if that was said. */
function useDayCap(): number | undefined {
  return useOwn().budgets.day;
}

/** Lets the browser keep it as a file. */
function save(turns: readonly UsedTurn[], today: string): void {
  const url = URL.createObjectURL(new Blob([csv(turns)], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `usage-${today}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), DAY_MS / 1440);
}
