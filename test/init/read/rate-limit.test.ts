import { expect, test } from "vitest";

import { limitSwitches } from "../../../src/init/read/variables.ts";

const variable = (name: string, value?: string) => ({
  ...{ name, value, path: "config.py", isNeeded: false, type: "bool", isField: true },
});

test.for<readonly [name: string, value: string | undefined, expected: Record<string, string>]>([
  ["RATE_LIMIT_ENABLED", "True", { RATE_LIMIT_ENABLED: "false" }],
  ["enable_ratelimit", "true", { enable_ratelimit: "false" }],
  ["USE_THROTTLING", "1", { USE_THROTTLING: "false" }],
  ["DISABLE_RATE_LIMIT", "False", { DISABLE_RATE_LIMIT: "true" }],
  ["RATE_LIMIT_ENABLED", "False", {}],
  ["RATE_LIMIT_ENABLED", undefined, {}],
  ["RATE_LIMIT_PER_MINUTE", "1", {}],
  ["CACHE_ENABLED", "True", {}],
])("a switch of a limit of requests is told by its name and default: %s=%s", ([name, value, expected]) => {
  expect(limitSwitches({ has: () => false }, [variable(name, value)], [])).toEqual(expected);
});

test.for<readonly [code: string, expected: Record<string, string>]>([
  ["limiter = Limiter(key_func=get_remote_address)", { RATELIMIT_ENABLED: "false" }],
  ["limiter = Limiter(\n    key_func=key,\n    enabled=settings.limited,\n)", {}],
])("slowapi is switched off by its own variable, unless the code has a say: %s", ([text, expected]) => {
  const files = [{ path: "main.py", text }];
  expect(limitSwitches({ has: (name) => name === "slowapi" }, [], files)).toEqual(expected);
});
