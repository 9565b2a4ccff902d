import type { FoundRequirements } from "./requirements.ts";
import type { ProjectFile } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

const isOfLimit = /RATE_?LIMIT|THROTTL/i;

/**
 * Variables that switch off a limit of requests by one client, which would answer nearly all of a load with 429. Only
 * switches that are on unless told otherwise.
 */
export function limitSwitches(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): Readonly<Record<string, string>> {
  const own = variables.filter(({ name }) => isOfLimit.test(name)).flatMap(switchOf);
  return Object.fromEntries([...own, ...(hasSlowApi(has, files) ? [["RATELIMIT_ENABLED", "false"]] : [])]);
}

function switchOf({ name, value = "" }: ReadVariable): readonly (readonly [string, string])[] {
  if (/ENABLE|ACTIVE|^USE_|_ON$/i.test(name)) return /^(?:true|1)$/i.test(value) ? [[name, "false"]] : [];
  return /DISABLE/i.test(name) && /^(?:false|0)$/i.test(value) ? [[name, "true"]] : [];
}

/** slowapi reads its variable itself, but takes any text for true where the code switches it off. */
function hasSlowApi(has: FoundRequirements["has"], files: readonly ProjectFile[]): boolean {
  return has("slowapi") && !files.some(({ text }) => /\bLimiter\([^)]*\benabled\s*=/.test(text));
}
