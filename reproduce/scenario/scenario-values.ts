import type { RawInputs } from "../../src/engine.ts";

/** Numbers of a case, by name. */
export type Parameters = Readonly<Record<string, number>>;

/** Replaces names in braces by parameters. Other braces, e.g. `{port}`, stay. */
export function fillIn(texts: Readonly<Record<string, string>>, parameters: Parameters): RawInputs {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      return value === undefined ? whole : String(value);
    });
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]));
}
