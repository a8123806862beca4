// "Show all, 3.1 MB": below the head of a long text.

import type { Clip } from "../../generated";
import { bytes } from "../words";
import type { Whole } from "./useWhole";

export function ShowAll({ clip, whole }: { clip: Clip; whole: Whole }) {
  if (whole.isWhole || clip.more === undefined) return null;
  return (
    <button type="button" className="more" disabled={whole.isComing} onClick={() => void whole.bring()}>
      {whole.error ?? (whole.isComing ? "Bringing all of it" : `Show all, ${bytes(clip.more.bytes)}`)}
    </button>
  );
}
