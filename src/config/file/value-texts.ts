/** Values that a YAML file may hold for an input. */
export type Value =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | Readonly<Record<string, string | number>>;

type Values = Readonly<Record<string, Value>>;

/** The later of two layers wins. Mappings (variables of the app) are merged. */
export function mergeValues(layers: readonly Values[]): Values {
  const merged: Record<string, Value> = {};
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    const before = merged[name];
    merged[name] = isMapping(before) && isMapping(value) ? { ...before, ...value } : value;
  }
  return merged;
}

/** Inputs of a YAML file as they would be typed: a list as one line for each item, a mapping as `NAME=value` lines. */
export function textsOf(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: Value): string {
  if (isMapping(value))
    return Object.entries(value)
      .map(([name, text]) => `${name}=${text}`)
      .join("\n");
  return typeof value === "object" ? value.join("\n") : String(value);
}

function isMapping(value: Value | undefined): value is Readonly<Record<string, string | number>> {
  return typeof value === "object" && !Array.isArray(value);
}
