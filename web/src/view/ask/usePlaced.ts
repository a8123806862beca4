// A change that waits for leave, with the numbers of its lines as the file has them now. Where the file cannot be read, or says something
// else than the agent thinks, it stays without.

import { useEffect, useState } from "react";
import { readFile } from "../../api/server";
import type { Diff, PermissionAsk } from "../../generated";
import { usePart, useSession } from "../../store/use";
import { editsIn, placed } from "../diff/placed";
import { shortPath } from "../item/toolWords";
import { fetchWhole } from "../whole";

export function usePlaced(ask: PermissionAsk, diff: Diff): Diff {
  const { id } = useSession();
  const { cwd } = usePart("status");
  const [found, setFound] = useState<{ of: Diff; diff: Diff }>();
  const { input } = ask;
  useEffect(() => {
    const path = shortPath(diff.path, cwd);
    // Outside of where the agent works nothing is read; of a change that is cut not all lines are here.
    if (path === diff.path || diff.more || diff.hunks.length === 0) return;
    const abort = new AbortController();
    const look = async () => {
      const [json, file] = await Promise.all([
        input.more ? fetchWhole(id, input.more, abort.signal) : input.text,
        readFile(id, path, abort.signal),
      ]);
      const edits = editsIn(json);
      const now = edits && file !== undefined ? placed(diff, edits, file) : undefined;
      if (now && !abort.signal.aborted) setFound({ of: diff, diff: now });
    };
    // That there is no such file is for the agent to find out.
    look().catch(() => {});
    return () => abort.abort();
  }, [id, cwd, diff, input]);
  return found?.of === diff ? found.diff : diff;
}
