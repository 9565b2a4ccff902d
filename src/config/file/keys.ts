import type * as z from "zod";
import { inputs } from "../inputs.ts";
import { loginSchema } from "./login-form.ts";
import type { Value } from "./value-texts.ts";

/** One key of the configuration file, or of `settings`. */
export interface Key {
  readonly name: string;
  readonly description: string;
  /** Default, as the documentation words it; empty: none. */
  readonly fallback: string;
  /** YAML of the whole entry. */
  readonly example: string;
  readonly schema: z.ZodType;
  readonly isSecret?: true;
  /** True: only in `settings`, not in the file. */
  readonly isOfCaller?: true;
  readonly typed?: (value: Value) => Value;
}

const ofInputs: readonly Key[] = inputs.flatMap(({ form, ...input }) =>
  form === undefined ? [] : [{ ...input, ...form }],
);

/** A key that is no input, because no line of text could hold it. */
const login: Key = {
  name: "login",
  description:
    "How each server is logged in to when it has started (`path` with `form` or `json`), and headers that go with every request. Secrets come from variables whose names begin with `LOADTEST_`; see [endpoints.md](endpoints.md#logging-in).",
  fallback: "",
  example:
    "login:\n  path: /token\n  form:\n    username: load-test\n    password: { secret: LOADTEST_PASSWORD }",
  schema: loginSchema,
  isSecret: true,
};

/** Keys of `settings`. */
export const allKeys: readonly Key[] = [...ofInputs, login];

/** Keys of the file: those of the inputs, in their order, then those that only the file has. */
export const keys: readonly Key[] = allKeys.filter(({ isOfCaller }) => !isOfCaller);

/** Values that must not be repeated in a message. */
export const secretNames: ReadonlySet<PropertyKey> = new Set(
  [...inputs, login].filter(({ isSecret }) => isSecret).map(({ name }) => name),
);

/** True when the file may also set this input. */
export function isKey(name: string): boolean {
  return keys.some((key) => key.name === name);
}
