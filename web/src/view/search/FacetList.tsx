// By what the hits can be narrowed down: where the words stand, in which project, since when.

import { useId } from "react";
import { lastPart } from "../words";
import { type Facets, type Found, WHEN, WHERE, type When, type Where } from "./found";

const WHERE_WORDS: Record<Where, string> = {
  all: "Everything",
  messages: "Messages",
  commands: "Commands",
  paths: "Paths",
  titles: "Titles",
};

const WHEN_WORDS: Record<When, string> = { any: "Any time", today: "Today", week: "Last 7 days" };

/** Of more projects the first are shown. */
const PROJECTS = 12;

type Props = { found: Found; facets: Facets; onChange: (part: Partial<Facets>) => void };

export function FacetList({ found, facets, onChange }: Props) {
  return (
    <div className="facets">
      <Facet
        label="Where"
        values={WHERE.map((where) => ({
          name: WHERE_WORDS[where],
          hits: found.where[where],
          isOn: facets.where === where,
          choose: () => onChange({ where }),
        }))}
      />
      <Facet
        label="Project"
        values={[
          {
            name: "Any",
            hits: found.anyProject,
            isOn: facets.project === undefined,
            choose: () => onChange({ project: undefined }),
          },
          ...found.projects.slice(0, PROJECTS).map(({ folder, hits }) => ({
            name: lastPart(folder),
            title: folder,
            hits,
            isOn: facets.project === folder,
            choose: () => onChange({ project: folder }),
          })),
        ]}
      />
      <Facet
        label="When"
        values={WHEN.map((when) => ({
          name: WHEN_WORDS[when],
          hits: found.when[when],
          isOn: facets.when === when,
          choose: () => onChange({ when }),
        }))}
      />
    </div>
  );
}

type Value = { name: string; title?: string; hits: number; isOn: boolean; choose: () => void };

function Facet({ label, values }: { label: string; values: readonly Value[] }) {
  const id = useId();
  return (
    <section className="facet" aria-labelledby={id}>
      <h2 id={id} className="label">
        {label}
      </h2>
      <ul>
        {values.map(({ name, title, hits, isOn, choose }) => (
          <li key={title ?? name}>
            <button
              type="button"
              className={isOn ? "on" : undefined}
              aria-pressed={isOn}
              title={title}
              onClick={choose}
            >
              <span className="cut">{name}</span>
              <span className="num">{hits}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
