import type { Input } from "../inputs.ts";
import { isKey } from "./keys.ts";

/**
 * An input as `action.yml` and the workflow declare it. What the file may say has no default there, because an action
 * is not told whether a value is its default or its caller's: the program fills it in.
 */
export function declaredInput({ name, description, fallback }: Input): {
  readonly description: string;
  readonly default: string;
} {
  return isKey(name) && fallback !== ""
    ? { description: `${description} Default: \`${fallback}\`.`, default: "" }
    : { description, default: fallback };
}
