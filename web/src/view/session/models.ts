// The models that can be chosen: what the agent offers, what every CLI knows, and the one that answers now. Pure.

import type { CatalogModel } from "../../generated";
import { modelName } from "../words";

/** Short names that every CLI knows. */
const ALIASES = ["sonnet", "opus", "haiku"];

/** What is asked for by a short name is reported by its long one: `opus` as `claude-opus-4-5`. */
export function isModel(value: string, model: string): boolean {
  return value === model || modelName(value) === modelName(model) || model.startsWith(`claude-${value}-`);
}

export type ModelChoice = { value: string; name: string; description: string };

/** The one of these that answers now; if two names mean it, the one that says so. */
export function currentModel(models: readonly CatalogModel[], model: string | undefined): CatalogModel | undefined {
  if (model === undefined) return undefined;
  const named = models.filter(({ value }) => value !== "default");
  return (
    named.find(({ value }) => value === model) ??
    named.find(({ resolved }) => resolved === model) ??
    named.find(({ value }) => isModel(value, model)) ??
    models.find(({ resolved }) => resolved === model)
  );
}

export function modelChoices(models: readonly CatalogModel[], model: string | undefined): ModelChoice[] {
  const offered = models.map(({ value, name, description }) => ({
    value,
    name: name || modelName(value),
    description,
  }));
  const isThere = (value: string) => offered.some((one) => isModel(one.value, value) || isModel(value, one.value));
  const short = ALIASES.filter((alias) => !isThere(alias)).map((value) => ({
    value,
    name: modelName(value),
    description: "The newest one of its kind, as the CLI knows it.",
  }));
  const all = [...offered, ...short];
  if (model === undefined || all.some(({ value }) => isModel(value, model))) return all;
  return [...all, { value: model, name: modelName(model), description: model }];
}
