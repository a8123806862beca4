// What keys and the palette can do with the session that is in front.

import { changeSettings } from "../../api/server";
import { usePart, useSession } from "../../store/use";
import { useDeed } from "../keys/deeds";
import { troubled } from "../shell/troubles";
import { clearView } from "../timeline/cleared";
import { interruptOf } from "./interrupt";
import { BYPASS } from "./modes";
import { useModes } from "./useModes";

export function SessionDeeds() {
  const session = useSession();
  const { turn, agent, mode } = usePart("status");
  // Nobody gets past the last guard by pressing a key once too often.
  const modes = useModes().filter((each) => each !== BYPASS && each !== "auto");
  useDeed("clearView", () => void clearView(session));
  useDeed("write", () => document.querySelector<HTMLElement>(".dock textarea.text")?.focus());
  useDeed("stopTurn", () => void interruptOf(session.id).stop(), turn !== undefined);
  useDeed(
    "nextMode",
    () => {
      const next = modes[(modes.indexOf(mode ?? "") + 1) % modes.length];
      if (next !== undefined) changeSettings(session.id, { mode: next }).catch(troubled("The mode was not changed"));
    },
    agent === "running",
  );
  return null;
}
