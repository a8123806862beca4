// A server's form: a JSON schema in, fields out; what was typed into them in, a JSON object or what is wrong out. Pure.

/** A thing to choose: what is sent, and what people read. */
export type FormOption = { value: string; words: string };

export type Field = {
  name: string;
  label: string;
  help?: string;
  isRequired: boolean;
  /** What stands in it at first, as it is typed. */
  initial: string | boolean | string[];
  kind:
    | { type: "text"; input: "text" | "email" | "url" | "date" | "datetime-local"; min?: number; max?: number }
    | { type: "number"; isWhole: boolean; min?: number; max?: number }
    | { type: "boolean" }
    | { type: "one"; options: FormOption[] }
    | { type: "many"; options: FormOption[]; min?: number; max?: number }
    /** Something that there is no field for: JSON. */
    | { type: "json" };
};

export type Typed = Record<string, string | boolean | string[]>;

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const number = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/**
 * The fields of a form; none if the schema is not that of an object. They stand in the order that the server named, then as in
 * the schema: of names that are numbers, an object does not keep the order in which they were written.
 */
export function fields(schema: string, order: readonly string[] = []): Field[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(schema);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || !isObject(parsed.properties)) return undefined;
  const required = new Set(Array.isArray(parsed.required) ? parsed.required : []);
  const { properties } = parsed;
  const names = new Set([...order.filter((name) => Object.hasOwn(properties, name)), ...Object.keys(properties)]);
  return [...names].map((name) => {
    const property = properties[name];
    return field(name, isObject(property) ? property : {}, required.has(name));
  });
}

function field(name: string, property: Schema, isRequired: boolean): Field {
  const kind = kindOf(property);
  const help = text(property.description);
  return {
    name,
    label: text(property.title) ?? name,
    isRequired,
    kind,
    initial: initialOf(kind, property.default),
    ...(help === undefined ? {} : { help }),
  };
}

function limits(property: Schema, min: string, max: string): { min?: number; max?: number } {
  const [low, high] = [number(property[min]), number(property[max])];
  return { ...(low === undefined ? {} : { min: low }), ...(high === undefined ? {} : { max: high }) };
}

/** The options of a choice: `enum` (with `enumNames`), or `oneOf`/`anyOf` with constants and titles. */
function optionsOf(property: Schema): FormOption[] | undefined {
  if (Array.isArray(property.enum)) {
    const names = Array.isArray(property.enumNames) ? property.enumNames : [];
    return property.enum.map((value, at) => ({ value: String(value), words: text(names[at]) ?? String(value) }));
  }
  const listed = property.oneOf ?? property.anyOf;
  if (!Array.isArray(listed) || !listed.every((one) => isObject(one) && "const" in one)) return undefined;
  return listed.map((one: Schema) => ({ value: String(one.const), words: text(one.title) ?? String(one.const) }));
}

const INPUTS: Record<string, "email" | "url" | "date" | "datetime-local"> = {
  email: "email",
  uri: "url",
  url: "url",
  date: "date",
  "date-time": "datetime-local",
};

function kindOf(property: Schema): Field["kind"] {
  const options = optionsOf(property);
  switch (property.type) {
    case "boolean":
      return { type: "boolean" };
    case "number":
    case "integer":
      return { type: "number", isWhole: property.type === "integer", ...limits(property, "minimum", "maximum") };
    case "array": {
      const many = isObject(property.items) ? optionsOf(property.items) : undefined;
      return many ? { type: "many", options: many, ...limits(property, "minItems", "maxItems") } : { type: "json" };
    }
    case "string":
      if (options) return { type: "one", options };
      return {
        type: "text",
        input: INPUTS[String(property.format)] ?? "text",
        ...limits(property, "minLength", "maxLength"),
      };
    default:
      return options ? { type: "one", options } : { type: "json" };
  }
}

function initialOf(kind: Field["kind"], given: unknown): string | boolean | string[] {
  switch (kind.type) {
    case "boolean":
      return given === true;
    case "many":
      return Array.isArray(given) ? given.map(String) : [];
    case "json":
      return given === undefined ? "" : JSON.stringify(given, null, 2);
    case "text":
      if (kind.input === "datetime-local") return localMoment(given);
      return plain(given);
    case "number":
    case "one":
      return plain(given);
    default:
      return kind satisfies never;
  }
}

const plain = (given: unknown): string => (typeof given === "string" || typeof given === "number" ? String(given) : "");

/** As the field has it: by the clock here, to the minute, with seconds where there are any. What it cannot show must not be sent. */
function localMoment(given: unknown): string {
  const moment = new Date(typeof given === "string" ? given : "");
  if (Number.isNaN(moment.getTime())) return "";
  const padded = (value: number, length = 2) => String(value).padStart(length, "0");
  const day = [padded(moment.getFullYear(), 4), padded(moment.getMonth() + 1), padded(moment.getDate())].join("-");
  const time = [padded(moment.getHours()), padded(moment.getMinutes())];
  if (moment.getSeconds() > 0) time.push(padded(moment.getSeconds()));
  return `${day}T${time.join(":")}`;
}

export function initially(form: readonly Field[]): Typed {
  return Object.fromEntries(form.map((one) => [one.name, one.initial]));
}

/** What goes to the server, or what is wrong, by field. Fields without a value are left out. */
export function filled(
  form: readonly Field[],
  typed: Typed,
): { content: Record<string, unknown> } | { faults: Record<string, string> } {
  const content: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const one of form) {
    const got = readField(one, typed[one.name] ?? one.initial);
    if ("fault" in got) faults[one.name] = got.fault;
    else if (got.value !== undefined) content[one.name] = got.value;
  }
  return Object.keys(faults).length > 0 ? { faults } : { content };
}

type Got = { value: unknown } | { fault: string };

function readField(one: Field, typed: string | boolean | string[]): Got {
  const { kind } = one;
  switch (kind.type) {
    case "boolean":
      return { value: typed === true };
    case "many": {
      const chosen = Array.isArray(typed) ? typed : [];
      const least = kind.min ?? (one.isRequired ? 1 : 0);
      if (chosen.length < least && (one.isRequired || chosen.length > 0)) return { fault: `Choose at least ${least}` };
      if (kind.max !== undefined && chosen.length > kind.max) return { fault: `Choose at most ${kind.max}` };
      return { value: chosen.length === 0 && !one.isRequired ? undefined : chosen };
    }
    case "text":
    case "number":
    case "one":
    case "json": {
      const words = typeof typed === "string" ? typed : "";
      if (words.trim() === "") return one.isRequired ? { fault: "Needed" } : { value: undefined };
      return written(kind, words);
    }
    default:
      return kind satisfies never;
  }
}

function written(kind: Extract<Field["kind"], { type: "text" | "number" | "one" | "json" }>, words: string): Got {
  switch (kind.type) {
    case "one":
      return { value: words };
    case "number": {
      const value = Number(words);
      if (!Number.isFinite(value)) return { fault: "A number is needed" };
      if (kind.isWhole && !Number.isInteger(value)) return { fault: "A whole number is needed" };
      if (kind.min !== undefined && value < kind.min) return { fault: `At least ${kind.min}` };
      if (kind.max !== undefined && value > kind.max) return { fault: `At most ${kind.max}` };
      return { value };
    }
    case "json":
      try {
        return { value: JSON.parse(words) as unknown };
      } catch {
        return { fault: "This is no valid JSON" };
      }
    case "text":
      if (kind.min !== undefined && words.length < kind.min) return { fault: `At least ${kind.min} characters` };
      if (kind.max !== undefined && words.length > kind.max) return { fault: `At most ${kind.max} characters` };
      return formatted(kind.input, words.trim());
    default:
      return kind satisfies never;
  }
}

function formatted(input: "text" | "email" | "url" | "date" | "datetime-local", words: string): Got {
  if (input === "email" && !/^[^\s@]+@[^\s@]+$/.test(words)) return { fault: "An address such as ana@example.org" };
  if (input === "url" && !URL.canParse(words)) return { fault: "An address such as https://example.org" };
  if (input === "datetime-local") {
    const moment = new Date(words);
    return Number.isNaN(moment.getTime()) ? { fault: "A date and a time are needed" } : { value: moment.toISOString() };
  }
  return { value: words };
}
