// Figures and times as people read them.

const THIN = "\u2009";

/** `$0.31`; tiny sums with more places, so that they are not nothing. */
export function dollars(usd: number): string {
  if (usd > 0 && usd < 0.005) return `$${usd.toFixed(4)}`;
  return `$${usd.toFixed(2)}`;
}

/** `21.4 k` */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 1_000_000) return `${trim(value / 1000)}${THIN}k`;
  return `${trim(value / 1_000_000)}${THIN}M`;
}

/** `3.1 MB` */
export function bytes(value: number): string {
  if (value < 1024) return `${value}${THIN}bytes`;
  if (value < 1024 * 1024) return `${trim(value / 1024)}${THIN}KB`;
  return `${trim(value / (1024 * 1024))}${THIN}MB`;
}

function trim(value: number): string {
  return value < 100 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

export function percent(part: number): string {
  return `${Math.round(part)}${THIN}%`;
}

/** How long something took: `12 ms`, `4.1 s`, `1 m 41 s`, `3 h 2 m`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))}${THIN}ms`;
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}${THIN}s`;
  if (seconds < 60) return `${Math.floor(seconds)}${THIN}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${THIN}m ${String(Math.floor(seconds % 60)).padStart(2, "0")}${THIN}s`;
  return `${Math.floor(minutes / 60)}${THIN}h ${minutes % 60}${THIN}m`;
}

/** How long ago, up to an hour; then the time of the day; then the date. */
export function when(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000);
  if (seconds < 60) return `${Math.floor(seconds)}${THIN}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}${THIN}m`;
  const [then, today] = [new Date(at), new Date(now)];
  return then.toDateString() === today.toDateString() ? clock(at) : date(at);
}

/** `14:02` */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** `Thu 19 Nov` */
export function weekday(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { weekday: "short", day: "numeric", month: "short" });
}

function date(at: number): string {
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short" });
}

/** All of it, for who points at a short one. */
export function exactly(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** `1 file`, `3 files` */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** What finds texts by words that were typed: all of them, in any order. */
export function finder(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/** What a permission mode means. */
export function modeWords(mode: string | undefined): string {
  switch (mode) {
    case undefined:
      return "Not known yet";
    case "default":
      return "Ask first";
    case "acceptEdits":
      return "Accept edits";
    case "plan":
      return "Plan only";
    case "bypassPermissions":
      return "Bypass permissions";
    case "dontAsk":
      return "Deny what is not allowed";
    case "auto":
      return "Automatic";
    case "delegate":
      return "Delegate";
    default:
      return mode;
  }
}

/** The same where there is little room. */
export function shortMode(mode: string | undefined): string {
  const named: Record<string, string> = { bypassPermissions: "Bypass", dontAsk: "Never ask" };
  return named[mode ?? ""] ?? modeWords(mode);
}

/** The last part of a path. */
export function lastPart(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) || path;
}

/** `claude-opus-4-5-20251101` is "Opus 4.5"; what is not made like that stays as it is. */
export function modelName(model: string): string {
  const parts = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?(\[1m\])?$/.exec(model);
  if (parts) {
    const [, family = "", major, minor, long] = parts;
    return `${family.slice(0, 1).toUpperCase()}${family.slice(1)} ${major}${minor ? `.${minor}` : ""}${long ? " 1M" : ""}`;
  }
  return /^[a-z]+$/.test(model) ? model.slice(0, 1).toUpperCase() + model.slice(1) : model;
}

/** `xhigh` is "Higher". */
export function effortWords(level: string): string {
  const named: Record<string, string> = { xhigh: "Higher", max: "Highest" };
  return named[level] ?? level.slice(0, 1).toUpperCase() + level.slice(1);
}

/** What a permission mode lets the agent do. */
export function modeMeaning(mode: string): string {
  switch (mode) {
    case "default":
      return "Reads freely. Asks before commands, edits and the network.";
    case "acceptEdits":
      return "Edits files in its folders without asking. Asks before commands.";
    case "plan":
      return "Looks around and makes a plan for you to approve.";
    case "dontAsk":
      return "What no rule allows is denied, and nobody is asked.";
    case "auto":
      return "A classifier decides what needs asking. Only for models that have it.";
    case "delegate":
      return "Only directs other agents; does nothing by itself.";
    case "bypassPermissions":
      return "Runs everything without asking. Only where nothing can be lost.";
    default:
      return "";
  }
}

/** The name of a limit of the plan: `five_hour` is "5 hours". */
export function limitName(limit: string): string {
  const named: Record<string, string> = {
    five_hour: "5 hours",
    seven_day: "7 days",
    seven_day_opus: "7 days, Opus",
    seven_day_sonnet: "7 days, Sonnet",
    overage: "Extra usage",
  };
  return named[limit] ?? limit.replaceAll("_", " ");
}

/** The same where there is little room: `5 h`. */
export function shortLimitName(limit: string): string {
  const named: Record<string, string> = { five_hour: `5${THIN}h`, seven_day: `7${THIN}d` };
  return named[limit] ?? limitName(limit);
}

/** Paths in the working directory without that: everybody who reads them knows where they are. */
export function inside(text: string, folder: string | null | undefined): string {
  return folder ? text.replaceAll(`${folder.replace(/\/+$/, "")}/`, "") : text;
}
