// How the page looks on this computer.

import { changeLook, DENSITIES, type Density, THEMES, type Theme, useLook } from "../shell/look";
import { Section, Segments } from "./parts";

const THEME_WORDS: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };
const DENSITY_WORDS: Record<Density, string> = { comfortable: "Comfortable", compact: "Compact" };

export function Look() {
  const look = useLook();
  return (
    <>
      <Section title="Theme" hint="Kept in this browser.">
        <Segments
          label="Theme"
          value={look.theme}
          choices={THEMES.map((theme) => ({ value: theme, label: THEME_WORDS[theme] }))}
          onChoose={(value) => changeLook({ theme: THEMES.find((theme) => theme === value) ?? "system" })}
        />
      </Section>
      <Section title="Density" hint="How much stands on the screen at once.">
        <Segments
          label="Density"
          value={look.density}
          choices={DENSITIES.map((density) => ({ value: density, label: DENSITY_WORDS[density] }))}
          onChoose={(value) => changeLook({ density: DENSITIES.find((density) => density === value) ?? "comfortable" })}
        />
      </Section>
    </>
  );
}
