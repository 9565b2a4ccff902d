import { parse } from "yaml";

/** Nobody writes longer ones, and reading one takes its time. */
const longestYaml = 50_000;

/** What a file of the repository says; `undefined` for a template, or for what is no YAML or too long. */
export function foreignYaml(text: string): unknown {
  if (text.length > longestYaml) return undefined;
  try {
    return parse(text, { maxAliasCount: 100, logLevel: "error" });
  } catch {
    return undefined;
  }
}
