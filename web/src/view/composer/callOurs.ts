// Does what a command of this page says: what it opens or changes goes in; why it could not be done comes out, in words.

import { messageOf } from "../../api/http";
import { changeSettings } from "../../api/server";
import { openTab } from "../inspector/shown";
import { act } from "../keys/deeds";
import { go } from "../route";
import type { Opening } from "./commands";

export async function callOurs(opening: Opening, session: string): Promise<string | undefined> {
  switch (opening.opens) {
    case "panel":
      go({ page: "panel", panel: opening.panel, session });
      return undefined;
    case "inspector":
      openTab(session, opening.tab);
      return undefined;
    case "resume":
      go({ page: "new", tab: "resume" });
      return undefined;
    case "cleared":
      act("clearView");
      return undefined;
    case "nothing":
      try {
        await changeSettings(session, opening.settings);
        return undefined;
      } catch (cause) {
        return `It was not changed. ${messageOf(cause)}`;
      }
    default:
      return opening satisfies never;
  }
}
