// What was found, as it stands on the page: hits and the facets that are chosen go in; how many there are of each, and the hits
// by session with the best ones first, come out. Pure.

import type { Hit, HitKind } from "../../api/search";

export type Where = "all" | "messages" | "commands" | "paths" | "titles";
export type When = "any" | "today" | "week";

export type Facets = { where: Where; project: string | undefined; when: When };

export const EVERYTHING: Facets = { where: "all", project: undefined, when: "any" };

export const WHERE: readonly Where[] = ["all", "messages", "commands", "paths", "titles"];
export const WHEN: readonly When[] = ["any", "today", "week"];

export type HitGroup = { session: string; hits: readonly Hit[] };

export type Found = {
  groups: readonly HitGroup[];
  hits: number;
  /** How many there would be, with the other facets as they are. */
  where: Record<Where, number>;
  when: Record<When, number>;
  projects: readonly { folder: string; hits: number }[];
  anyProject: number;
};

const KINDS: Record<string, Where> = {
  prompt: "messages",
  answer: "messages",
  command: "commands",
  path: "paths",
  title: "titles",
};

const isIn = (where: Where, kind: HitKind): boolean => where === "all" || KINDS[kind] === where;

/** The beginning of what counts, by the clock of whoever looks. */
function since(when: When, now: number): number {
  const today = new Date(now).setHours(0, 0, 0, 0);
  switch (when) {
    case "any":
      return Number.NEGATIVE_INFINITY;
    case "today":
      return today;
    case "week":
      return new Date(today).setDate(new Date(today).getDate() - 6);
    default:
      return when satisfies never;
  }
}

/** `folderOf` says where a session works. */
export function arrangeHits(
  hits: readonly Hit[],
  facets: Facets,
  folderOf: (session: string) => string | undefined,
  now: number,
): Found {
  const fits = (hit: Hit, { where, project, when }: Facets) =>
    isIn(where, hit.kind) && (project === undefined || folderOf(hit.session) === project) && hit.at >= since(when, now);
  const count = (change: Partial<Facets>) => hits.filter((hit) => fits(hit, { ...facets, ...change })).length;
  const chosen = hits.filter((hit) => fits(hit, facets));
  const groups = new Map<string, Hit[]>();
  for (const hit of chosen) groups.set(hit.session, [...(groups.get(hit.session) ?? []), hit]);
  const folders = new Set(hits.flatMap((hit) => folderOf(hit.session) ?? []));
  return {
    groups: [...groups].map(([session, inIt]) => ({ session, hits: inIt })),
    hits: chosen.length,
    where: Object.fromEntries(WHERE.map((where) => [where, count({ where })])) as Record<Where, number>,
    when: Object.fromEntries(WHEN.map((when) => [when, count({ when })])) as Record<When, number>,
    projects: [...folders]
      .map((folder) => ({ folder, hits: count({ project: folder }) }))
      .sort((a, b) => b.hits - a.hits || (a.folder < b.folder ? -1 : 1)),
    anyProject: count({ project: undefined }),
  };
}
