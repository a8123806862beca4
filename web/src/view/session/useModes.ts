// The permission modes that the session in front can be put into.

import { usePart } from "../../store/use";
import { useAbout } from "../useAbout";
import { currentModel } from "./models";
import { modesOf } from "./modes";

export function useModes(): string[] {
  const { mode, version, model } = usePart("status");
  const { models } = usePart("catalog");
  const { about } = useAbout();
  return modesOf({
    mode,
    version,
    hasAuto: currentModel(models, model)?.autoMode,
    mayBypass: about?.allowsBypass ?? false,
  });
}
