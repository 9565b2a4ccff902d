import { expect, test } from "vitest";
import type { ReadVariable } from "../../../src/init/project.ts";
import { findServices, lackingServices, servicesSetting } from "../../../src/init/read/services.ts";

const read = (name: string): ReadVariable => ({
  name,
  path: "a.py",
  isNeeded: true,
  type: undefined,
  value: undefined,
  isField: true,
});
const importing = (...names: string[]) => [
  { path: "app/main.py", text: names.map((each) => `import ${each.replace("-", "_")}\n`).join("") },
];
const requiring = (...names: string[]) => ({ has: (each: string) => names.includes(each) });

test.for<readonly [has: string, variables: string[], ends: readonly string[]]>([
  [
    "aiokafka",
    ["KAFKA_ACKS", "KAFKA_URL"],
    ["describe it and its variables in `services`, e.g. KAFKA_URL: 127.0.0.1:9092"],
  ],
  ["arq", ["REDIS_HOST"], ["describe it and its variables in `services`, e.g. REDIS_HOST: 127.0.0.1"]],
  ["aio-pika", [], ["describe it and its variables in `services`"]],
  ["celery", [], ["describe it and its variables in `services`"]],
  ["fastapi", ["REDIS_URL"], []],
])("of an app that requires and imports %s what it may need is said", ([name, variables, ends]) => {
  const said = lackingServices(requiring(name), variables.map(read), [], new Set(), importing(name));
  const endings = ends.map((end) => new RegExp(`${end.replaceAll(/[.?]/g, "\\$&")}$`));
  expect(said).toEqual(endings.map((each) => expect.stringMatching(each)));
});

test.for<
  readonly [what: string, has: string[], variable: string, here: string[], expected: readonly string[]]
>([
  ["nothing where it is", ["redis"], "REDIS_URL", ["redis"], []],
  [
    "the package of one that is not",
    ["redis"],
    "REDIS_URL",
    [],
    ["(sudo apt-get install --yes redis-server)"],
  ],
  ["the program of one without", ["motor"], "MONGO_URL", [], ["put mongod on PATH, or install Docker"]],
  ["nothing of another queue", ["redis", "celery"], "REDIS_URL", ["redis"], []],
  ["one broker where two could be it", ["redis", "celery"], "OTHER", [], ["the app may need Redis"]],
  ["what else is required", ["redis", "aiokafka"], "REDIS_URL", ["redis"], ["the app may need Kafka"]],
])("of known services one is told %s", ([, has, variable, here, expected]) => {
  const variables = [read(variable)];
  const requirements = requiring(...has);
  const found = findServices(requirements, variables, []);
  const said = lackingServices(requirements, variables, found, new Set(here), importing(...has));
  expect(said).toEqual(expected.map((each) => expect.stringContaining(each)));
});

test.for<readonly [path: string, text: string, expected: string]>([
  [
    "app/config.py",
    "URL = f'redis://:{word}@redis:6379/0'",
    'app/config.py has the address of Redis in the code; read it from a variable instead, e.g. `os.environ["REDIS_URL"]`',
  ],
  ["tests/conftest.py", 'URL = "redis://redis:6379"', "the app may need Redis"],
  ["app/config.py", 'URL = f"redis://{host}:6379"', "the app may need Redis"],
])("an address in the code of %s is named", ([path, text, expected]) => {
  const files = [...importing("redis"), { path, text }];
  const said = lackingServices(requiring("redis"), [read("REDIS_PASS")], [], new Set(["redis"]), files);
  expect(said).toEqual([expect.stringContaining(expected)]);
  expect(said[0]).not.toContain("REDIS_PASS");
});

test.for<readonly [has: string[], path: string, text: string, isNeeded: boolean]>([
  [["pymongo"], "app/main.py", "import os\nimport json", false],
  [["pymongo"], "app/main.py", "# import pymongo", false],
  [["pymongo"], "README.md", "import pymongo", false],
  [["pymongo"], "app/main.py", "import pymongo_inmemory", false],
  [["pymongo"], "app/db.py", "try:\n    from pymongo import MongoClient\nexcept ImportError: ...", true],
  [["kafka-python"], "app/events.py", "import kafka.errors", true],
  [["redis", "celery"], "app/worker.py", "from celery import Celery", true],
])("what %s in %s says of an app's needs: %j", ([has, path, text, isNeeded]) => {
  const said = lackingServices(requiring(...has), [], [], new Set(), [{ path, text }]);
  expect(said).toHaveLength(isNeeded ? 1 : 0);
});

test.for<
  readonly [what: string, client: string, variables: readonly ReturnType<typeof read>[], expected: unknown]
>([
  ["a URL", "arq", [read("REDIS_URL")], [["redis", { REDIS_URL: "{url}" }]]],
  [
    "what has its address, whatever its name",
    "redis",
    [{ ...read("CACHE_DEV"), value: "redis://user:password@localhost:6379/1" }],
    [["redis", { CACHE_DEV: "{url}" }]],
  ],
  [
    "host and port, by name and by default",
    "redis",
    [
      read("REDIS_CACHE_HOST"),
      read("REDIS_SSL_CHECK_HOSTNAME"),
      read("REDIS_CACHE_PORT"),
      { ...read("BROKER_URL"), value: "redis://localhost:6379/2" },
      { ...read("RESULT_BACKEND"), value: "redis://localhost:6379/3" },
      read("HOST"),
      read("REDIS_DB"),
      read("REDIS_PASSWORD"),
    ],
    [
      [
        "redis",
        {
          REDIS_CACHE_HOST: "{host}",
          REDIS_CACHE_PORT: "{port}",
          BROKER_URL: "{url}",
          RESULT_BACKEND: "{url}",
          REDIS_PASSWORD: "",
        },
      ],
    ],
  ],
  ["a type", "redis", [{ ...read("CACHE_URL"), type: "RedisDsn" }], [["redis", { CACHE_URL: "{url}" }]]],
  [
    "a queue's value",
    "celery",
    [
      { ...read("BROKER_URL"), value: "amqp://guest@rabbit/" },
      { ...read("RESULT_URL"), value: "redis://r:1" },
    ],
    [
      ["redis", { RESULT_URL: "{url}" }],
      ["rabbitmq", { BROKER_URL: "{url}" }],
    ],
  ],
  [
    "a user and a password",
    "aio-pika",
    [read("RABBIT_HOST"), read("RABBIT_PORT"), read("RABBIT_USER"), read("RABBIT_PASSWORD")],
    [
      [
        "rabbitmq",
        {
          RABBIT_HOST: "{host}",
          RABBIT_PORT: "{port}",
          RABBIT_USER: "{user}",
          RABBIT_PASSWORD: "{password}",
        },
      ],
    ],
  ],
  [
    "MongoDB",
    "motor",
    [read("MONGODB_URI"), read("MONGO_DB")],
    [["mongodb", { MONGODB_URI: "{url}", MONGO_DB: "{database}" }]],
  ],
  [
    "an object store's keys",
    "boto3",
    [read("S3_ENDPOINT_URL"), read("AWS_ACCESS_KEY_ID"), read("AWS_SECRET_ACCESS_KEY"), read("SECRET_KEY")],
    [
      [
        "minio",
        { S3_ENDPOINT_URL: "{url}", AWS_ACCESS_KEY_ID: "{user}", AWS_SECRET_ACCESS_KEY: "{password}" },
      ],
    ],
  ],
  [
    "a mail server",
    "fastapi-mail",
    [read("MAIL_SERVER"), read("MAIL_PORT"), read("MAIL_PASSWORD")],
    [["mailpit", { MAIL_SERVER: "{host}", MAIL_PORT: "{port}" }]],
  ],
  [
    "a password that ours has not",
    "redis",
    [
      ...["REDIS_HOST", "REDIS_PORT", "REDIS_PASSWORD"].map((name) => read(name)),
      { ...read("REDIS_USERNAME"), isNeeded: false, value: "guest" },
      { ...read("REDIS_CACHE_USER"), isNeeded: false },
    ],
    [["redis", { REDIS_HOST: "{host}", REDIS_PORT: "{port}", REDIS_PASSWORD: "", REDIS_USERNAME: "" }]],
  ],
  ["a host alone", "redis", [read("REDIS_HOST")], []],
  ["no variable", "redis", [read("REDIS_DB")], []],
  ["no client", "fastapi", [read("REDIS_URL")], []],
])("services of its own are found by %s", ([, client, variables, expected]) => {
  const found = findServices(requiring(client), variables, []);
  expect(found.map(({ preset, variables: its }) => [preset, its])).toEqual(expected);
});

test.for([
  ["names this machine in its code", 'host = "localhost"', ["redis"]],
  ["names another one", 'host = "redis"', []],
] as const)(
  "an app with a variable for the port alone gets the service where it %s",
  ([, text, expected]) => {
    const files = [{ path: "config.py", text }];
    const found = findServices(requiring("redis"), [{ ...read("REDIS_PORT"), path: "config.py" }], files);
    expect(found.map(({ preset }) => preset)).toEqual(expected);
  },
);

const seeding = { key: "seed-command", value: "python -m app.seed", reason: "app/seed.py can be run" };

test("they are one key of the configuration", () => {
  const found = findServices(requiring("redis", "aio-pika"), [read("REDIS_URL"), read("AMQP_URL")], []);
  expect(servicesSetting(found, seeding)).toEqual([
    {
      key: "services",
      value: {
        redis: { "app-env": { REDIS_URL: "{url}" } },
        rabbitmq: { "app-env": { AMQP_URL: "{url}" } },
      },
      reason:
        "Redis: a.py reads them, and redis is required; RabbitMQ: a.py reads them, and aio-pika is required; each start of the app gets its own",
    },
  ]);
  expect(servicesSetting([], seeding)).toEqual([]);
});

test("rows that are nowhere else are made in each of them", () => {
  const found = findServices(requiring("redis", "pymongo"), [read("REDIS_URL"), read("MONGODB_URL")], []);
  expect(servicesSetting(found, seeding)).toEqual([
    {
      key: "services",
      value: {
        redis: { "app-env": { REDIS_URL: "{url}" } },
        mongodb: { "app-env": { MONGODB_URL: "{url}" }, seed: "python -m app.seed" },
      },
      reason:
        "Redis: a.py reads them, and redis is required; MongoDB: a.py reads them, and pymongo is required; each start of the app gets its own; app/seed.py can be run",
    },
  ]);
});

test.for<readonly [has: string[], variables: string[], found: Record<string, string> | undefined]>([
  [
    ["redis", "celery"],
    ["CELERY_BEAT_URL", "CELERY_RESULT_BACKEND"],
    { CELERY_BEAT_URL: "{url}", CELERY_RESULT_BACKEND: "{url}" },
  ],
  [["redis", "celery"], ["REDIS_URL", "BROKER_URL"], { REDIS_URL: "{url}", BROKER_URL: "{url}" }],
  [["redis", "aio-pika"], ["REDIS_URL", "CELERY_URL", "RABBIT_URL"], { REDIS_URL: "{url}" }],
  [["fastapi"], ["CELERY_URL"], undefined],
])("a queue is in the service that the app has: %s, %s", ([has, variables, expected]) => {
  const [found] = findServices(requiring(...has), variables.map(read), []);
  expect(found?.variables).toEqual(expected);
});
