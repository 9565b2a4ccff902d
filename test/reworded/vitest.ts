import { expect as plain } from "vitest";

import { restored } from "./words.ts";

export * from "vitest";

/** Compares what `src/` says with what it would say without the rewording. */
export const expect: typeof plain = Object.assign(
  (value: unknown, message?: string) => withRestored(plain(unworded(value), message)),
  plain,
);

function unworded(value: unknown): unknown {
  if (typeof value !== "function" || "mock" in value) return restored(value);
  return (...words: unknown[]) => {
    try {
      return restored(value(...words));
    } catch (error) {
      throw restored(error);
    }
  };
}

/** Matchers whose expectations may hold what `src/` says, too, such as an error that it makes. */
function withRestored<T extends object>(matchers: T): T {
  return new Proxy(matchers, {
    get: (target, name) => {
      const found: unknown = Reflect.get(target, name);
      if (typeof found === "function")
        return (...expected: unknown[]) =>
          found.apply(
            target,
            expected.map((each) => restored(each)),
          );
      return typeof found === "object" && found !== null ? withRestored(found) : found;
    },
  });
}
