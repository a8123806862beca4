// The git branch where the session works. No event tells it, so the server is asked: when the session is opened, and after each turn, in
// which an agent may have switched it.

import { useEffect, useState } from "react";
import { askSession } from "../../../api/server";
import { usePart, useSession } from "../../../store/use";
import { Icon } from "../../Icon";

export function Branch() {
  const branch = useBranch();
  return branch === undefined ? null : (
    <span className="branch" title={`Branch ${branch}`}>
      <Icon name="branch" label="Branch" />
      <bdi className="cut">{branch}</bdi>
    </span>
  );
}

function useBranch(): string | undefined {
  const { id } = useSession();
  const { cwd } = usePart("status");
  const { turns } = usePart("meters");
  // What was told of one place is not shown of another.
  const [told, setTold] = useState<{ of: string; branch: string | undefined }>();
  const of = `${id} ${cwd}`;
  useEffect(() => {
    // Each turn that ends is asked about.
    void turns;
    if (cwd === undefined) return;
    const abort = new AbortController();
    askSession(id, abort.signal).then(
      ({ branch }) => abort.signal.aborted || setTold({ of, branch }),
      // Whoever cannot be reached is told of elsewhere; what was so may still be.
      () => {},
    );
    return () => abort.abort();
  }, [id, cwd, of, turns]);
  return told?.of === of ? told.branch : undefined;
}
