// The look as parts of a menu.

import { changeLook, DENSITIES, type Density, type Look, THEMES, type Theme } from "./look";
import type { MenuSection } from "./Menu";

const THEME_WORDS: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };
const DENSITY_WORDS: Record<Density, string> = { comfortable: "Comfortable", compact: "Compact" };

export function lookSections(look: Look): MenuSection[] {
  return [
    {
      heading: "Theme",
      entries: THEMES.map((theme) => ({
        label: THEME_WORDS[theme],
        checked: look.theme === theme,
        choose: () => changeLook({ theme }),
      })),
    },
    {
      heading: "Density",
      entries: DENSITIES.map((density) => ({
        label: DENSITY_WORDS[density],
        checked: look.density === density,
        choose: () => changeLook({ density }),
      })),
    },
  ];
}
