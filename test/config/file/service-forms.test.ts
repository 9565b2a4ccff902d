import { describe, expect, test } from "vitest";

import { parseConfigurationFile } from "../../../src/config/file/configuration-file.ts";
import { servicePresets } from "../../../src/model/workload/service-presets.ts";

const read = (yaml: string) => parseConfigurationFile("loadtest.yml", "/", yaml);
const problemsOf = (yaml: string): string => {
  try {
    read(yaml);
    return "";
  } catch (error) {
    return String(error);
  }
};

describe("services", () => {
  const redis = { name: "redis", ...servicePresets["redis"] };

  test.for<readonly [yaml: string, expected: unknown]>([
    ["services: redis", [redis]],
    ["services: [redis, mailpit]", [redis, { name: "mailpit", ...servicePresets["mailpit"] }]],
    ["services: { redis: }", [redis]],
    ["services: { cache: { preset: redis } }", [{ ...redis, name: "cache" }]],
    [
      'services: { redis: { app-env: { CACHE: "redis://{host}:{port}/3" } } }',
      [{ ...redis, appVariables: { CACHE: "redis://{host}:{port}/3" } }],
    ],
    ["services: { redis: { seed: python -m a } }", [{ ...redis, seed: ["python -m a"] }]],
    ["services: { redis: { seed: [python -m a, b] } }", [{ ...redis, seed: ["python -m a", "b"] }]],
    ["services: { redis: { ready-timeout: 2m } }", [{ ...redis, readyWithinSeconds: 120 }]],
  ])("%s is a preset", ([yaml, expected]) => {
    expect(read(yaml).services).toEqual(expected);
  });

  test("variables of a preset's own go to its programs and its image", () => {
    const [minio] = read("services: { minio: { env: { MINIO_ROOT_USER: me, N: 1 } } }").services ?? [];
    const expected = { MINIO_ROOT_USER: "me", MINIO_ROOT_PASSWORD: "loadtest-password", N: "1" };
    expect(minio?.programs.map(({ variables }) => variables)).toEqual([expected]);
    expect(minio?.image?.variables).toEqual(expected);
  });

  test("an image of one's own takes the place of a preset's programs, and keeps its port and readiness", () => {
    const [service] =
      read("services: { redis: { image: redis/redis-stack:7, args: [--quiet] } }").services ?? [];
    expect(service).toEqual({
      ...redis,
      programs: [],
      debianPackage: undefined,
      image: { image: "redis/redis-stack:7", port: 6379, args: ["--quiet"], variables: {} },
    });
  });

  test.for<readonly [ready: string, expected: unknown]>([
    ["tcp", { kind: "tcp" }],
    ["/health", { kind: "http", path: "/health" }],
    ["{ send: a, expect: b }", { kind: "reply", send: "a", expect: "b" }],
  ])("a command is split into words, and ready by %s", ([ready, expected]) => {
    const command = "'my server' --port {port} --dir \"{folder}/a b\"";
    const file = read(
      `services: { a: { command: ${JSON.stringify(command)}, ready: ${ready}, env: { N: true } } }`,
    );
    expect(file.services).toEqual([
      {
        name: "a",
        programs: [
          {
            program: "my server",
            args: ["--port", "{port}", "--dir", "{folder}/a b"],
            variables: { N: "true" },
          },
        ],
        address: { url: "http://{host}:{port}" },
        appVariables: {},
        ready: expected,
        readyWithinSeconds: 60,
      },
    ]);
  });

  test("a command and an image: the image is for machines without the command", () => {
    const [service] = read("services: { a: { command: 'x {port}', image: y, port: 80 } }").services ?? [];
    expect(service).toMatchObject({
      programs: [{ program: "x", args: ["{port}"] }],
      image: { image: "y", port: 80, args: [], variables: {} },
      ready: { kind: "tcp" },
    });
  });

  test.for<readonly [yaml: string, message: string]>([
    ["services: postgres", "services: must be a preset (redis, valkey, mariadb"],
    ["services: [redis, kafka]", "services.1: must be one of redis, valkey"],
    ["services: []", "services: is empty"],
    ["services: { redis: { seed: [] } }", "services.redis.seed: is empty"],
    ["services: { redis: { seed: '' } }", "services.redis.seed: is empty; add e.g. python -m app.seed"],
    ["services: { redis: { seed: 7 } }", "services.redis.seed: must be a command, e.g. python -m app.seed"],
    [
      "services: { search: }",
      "services.search: needs a command, an image, a compose file or a preset (redis, valkey, ",
    ],
    ["services: { a: { image: x } }", "services.a.image: needs port, the port in its container"],
    ["services: { redis: { port: 6379 } }", "services.redis.port: is a port in a container"],
    [
      "services: { s: { compose: a.yml, image: b, port: 1 } }",
      "services.s.compose: cannot be combined with image",
    ],
    ["services: { s: { compose: '' } }", "services.s.compose: is empty"],
    ["services: { redis: { args: [x] } }", "services.redis.args: needs image"],
    [
      "services: { a: { command: 'x --port 1' } }",
      "services.a.command: must contain {port}, the port to listen on",
    ],
    [
      "services: { a: { command: 'x {port} {url}' } }",
      "has an unknown placeholder {url}; choose from {host}, {port}",
    ],
    ['services: { a: { command: "x {port} \'y" } }', "services.a.command: has an unclosed quote"],
    ["services: { a: { command: '' } }", "services.a.command: is empty; add e.g. redis-server"],
    [
      "services: { a: { image: '-rm', port: 1 } }",
      "services.a.image: must be the name of an image, e.g. redis:7",
    ],
    ["services: { a: { image: x, port: 70000 } }", "services.a.port: must be at most 65535"],
    ["services: { redis: { app-env: { A: '{folder}' } } }", "app-env.A: has an unknown placeholder {folder}"],
    ["services: { redis: { app-env: { 'A B': x } } }", "app-env.A B"],
    ["services: { redis: { ready: 5 } }", "services.redis.ready: must be tcp, a path (/health)"],
    [
      "services: { redis: { ready-timeout: soon } }",
      "ready-timeout: must be a duration up to an hour, e.g. 30s",
    ],
    ["services: { redis: { imagee: x } }", "services.redis.imagee: is not a key here; did you mean image?"],
    ["services: { 'a b': { preset: redis } }", "services.a b: must be a mapping of services"],
  ])("%s is refused", ([yaml, message]) => {
    expect(problemsOf(yaml)).toContain(message);
  });
});

describe("processes", () => {
  test("are commands, or more than that", () => {
    const yaml = "processes:\n  a: celery worker\n  b: { command: x y, env: { N: 1 }, ready-text: go }";
    expect(read(yaml).processes).toEqual([
      { name: "a", command: "celery worker", variables: {} },
      { name: "b", command: "x y", variables: { N: "1" }, readyText: "go" },
    ]);
    expect(read("processes: { a: { command: x } }").processes).toEqual([
      { name: "a", command: "x", variables: {} },
    ]);
    expect(read("workers: 1").processes).toBeUndefined();
  });

  test.for<readonly [yaml: string, message: string]>([
    ["processes: celery", "processes: must be a mapping of commands, e.g. { worker: celery -A"],
    ["processes: { a: 1 }", "processes.a: must be a command, e.g. celery -A app.worker worker, or a mapping"],
    ["processes: { a: '' }", "processes.a: is empty; add e.g. celery"],
    ["processes: { a: 'x {port}' }", "processes.a: has an unknown placeholder {port}"],
    ["processes: { a: { env: { N: 1 } } }", "processes.a.command: must be text, e.g. celery"],
  ])("%s is refused", ([yaml, message]) => {
    expect(problemsOf(yaml)).toContain(message);
  });
});
