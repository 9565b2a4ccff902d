import { expect, test } from "vitest";

import { limitSwitches } from "../../../src/init/read/variables.ts";

const variable = (name: string, value?: string, type: string | undefined = "bool") => ({
  ...{ name, value, path: "config.py", isNeeded: false, type, isField: true },
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

test.for<readonly [name: string, value: string | undefined, expected: string | undefined]>([
  ["RATE_LIMIT_PER_MINUTE", "80", "1000000"],
  ["RATE_LIMIT", "100/minute", "1000000/minute"],
  ["DEFAULT_RATE_LIMIT", "5 per second", "1000000 per second"],
  ["MAX_REQUESTS_PER_MINUTE", "60", "1000000"],
  ["RATE_LIMIT_WINDOW", "60", undefined],
  ["RATE_LIMIT_SECONDS", "60", undefined],
  ["RATE_LIMIT_BLOCK_MINUTES", "5", undefined],
  ["RATE_LIMIT_REDIS_PORT", "6379", undefined],
  ["RATE_LIMIT_PER_MINUTE", "0", undefined],
  ["RATE_LIMIT_STORAGE", "memory://", undefined],
  ["RATE_LIMIT_PER_MINUTE", undefined, undefined],
  ["PAGE_LIMIT", "80", undefined],
  ["REQUESTS_PER_PAGE", "80", undefined],
])("a number of requests is lifted: %s=%s", ([name, value, lifted]) => {
  const expected = lifted === undefined ? {} : { [name]: lifted };
  expect(limitSwitches({ has: () => false }, [variable(name, value, "int")], [])).toEqual(expected);
});

test.for<readonly [code: string, expected: Record<string, string>]>([
  ["limiter = Limiter(key_func=get_remote_address)", { RATELIMIT_ENABLED: "false" }],
  ["limiter = Limiter(\n    key_func=key,\n    enabled=settings.limited,\n)", {}],
])("slowapi is switched off by its own variable, unless the code has a say: %s", ([text, expected]) => {
  const files = [{ path: "main.py", text }];
  expect(limitSwitches({ has: (name) => name === "slowapi" }, [], files)).toEqual(expected);
});
