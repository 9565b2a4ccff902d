import { expect, test } from "vitest";

import { composedService } from "../../src/repository/composed-service.ts";

const compose = `
services:
  web: { build: . }
  search:
    image: \${SEARCH_IMAGE:-getmeili/meilisearch:v1.11}
    command: meilisearch --log-level "WARN x"
    ports: ["127.0.0.1:17700:7700/tcp"]
    environment:
      MEILI_NO_ANALYTICS: true
      MEILI_MASTER_KEY: \${KEY:-of-sixteen-letters}
      FROM_SHELL:
  store:
    image: minio/minio
    command: [server, /data]
    environment: [MINIO_ROOT_USER=app, FROM_SHELL, "PASSWORD=\${PASSWORD:?needed}a"]
    expose: [9000]
  mapped: { image: a/b, ports: [{ target: 80, published: 8080 }] }
  none: { image: a/b, ports: ["70000"] }
  odd: { image: "--privileged a" }
`;

test.for<readonly [name: string, expected: unknown]>([
  [
    "search",
    {
      image: "getmeili/meilisearch:v1.11",
      args: ["meilisearch", "--log-level", "WARN x"],
      variables: { MEILI_NO_ANALYTICS: "true", MEILI_MASTER_KEY: "of-sixteen-letters" },
      port: 7_700,
    },
  ],
  [
    "store",
    {
      ...{ image: "minio/minio", args: ["server", "/data"], port: 9_000 },
      variables: { MINIO_ROOT_USER: "app", PASSWORD: "a" },
    },
  ],
  ["mapped", { image: "a/b", args: [], variables: {}, port: 80 }],
  ["none", { image: "a/b", args: [], variables: {} }],
  ["web", { problem: "builds its service web itself; build it first, and set its `image` instead" }],
  ["odd", { problem: "has an unsupported image for its service odd" }],
  ["serch", { problem: "has no service serch, only web, search, store, mapped, none, odd" }],
  ["__proto__", { problem: "has no service __proto__, only web, search, store, mapped, none, odd" }],
])("of a compose file the service %s is", ([name, expected]) => {
  expect(composedService(compose, name)).toEqual(expected);
});

test.for(["", "a: [", "services: []", `services: { a: { image: b } }\n${"#".repeat(50_000)}`])(
  "%j has no services",
  (yaml) => {
    const problem = "has no services, or is not YAML of at most 50,000 characters";
    expect(composedService(yaml, "a")).toEqual({ problem });
  },
);
