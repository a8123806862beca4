// Parts of the page that are fetched when somebody wants them: what loads one in, a component out. One that cannot be fetched (the
// server has another version by now, or is not there) says so and takes nothing else down.

import { type ComponentType, lazy, useEffect } from "react";
import { setTrouble } from "./shell/troubles";

export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: Missing as ComponentType<Props> }),
    ),
  );
}

function Missing() {
  useEffect(() => {
    setTrouble({
      text: "This part of the page could not be loaded.",
      wayOut: { label: "Load the page again", take: () => location.reload() },
    });
  }, []);
  return null;
}
