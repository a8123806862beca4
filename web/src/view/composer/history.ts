// Earlier prompts, with Up and Down: a list and where one is in it in, another text out. Pure.

import type { SessionStore } from "../../store/session";

/** Where one is: how far back, and what one had written before going there. */
export type Walk = { back: number; own: string };

export type Step = { walk: Walk | undefined; text: string };

/** One step back (1) or forward (-1) through `earlier`, whose last one is the newest; none if there is no way on. */
export function step(earlier: readonly string[], walk: Walk | undefined, by: 1 | -1, text: string): Step | undefined {
  const own = walk?.own ?? text;
  const back = (walk?.back ?? 0) + by;
  if (back < 0 || back > earlier.length) return undefined;
  if (back === 0) return { walk: undefined, text: own };
  const found = earlier[earlier.length - back];
  return found === undefined ? undefined : { walk: { back, own }, text: found };
}

/** What was said before, then what was cleared: the newest last, the same only once in a row. */
export function earlierPrompts(session: SessionStore, cleared: readonly string[]): string[] {
  const said = session.rows().flatMap((row) => {
    const body = row.kind === "item" ? session.item(row.id)?.body : undefined;
    // Of a prompt that is too long to be held there is only the head: nobody wants to send that.
    const isOwn = body?.kind === "user" && body.role === "person" && body.text.more === undefined;
    return isOwn && body.text.text !== "" ? [body.text.text] : [];
  });
  return [...said, ...cleared].filter((text, at, all) => text !== all[at - 1]);
}
