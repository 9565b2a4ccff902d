import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ReadVariable } from "../../../src/init/project.ts";
import { proposeComposed } from "../../../src/init/read/compose.ts";

const compose = `services:
  web: { build: . }
  search: { image: "getmeili/meilisearch:v1.11", ports: ["7700:7700"] }
  vectors: { image: qdrant/qdrant }
  cache: { image: "redis:7" }
  db: { image: "pgvector/pgvector:pg17" }
  unused: { image: "a/b", expose: [1] }
`;
const reading = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(
    ([name, value]): ReadVariable => ({
      name,
      value,
      path: "a.py",
      isNeeded: true,
      type: undefined,
      isField: true,
    }),
  );
const proposed = (values: Readonly<Record<string, string>>, given: readonly string[] = [], text = compose) =>
  proposeComposed([{ path: "deploy/docker-compose.yml", text }], reading(values), new Set(given));

test("services that the app's variables name are shown, with their places", () => {
  const [proposal] = proposed({
    SEARCH_URL: "http://search:7700/v1",
    VECTORS_HOST: "vectors",
    REDIS_URL: "redis://cache:6379/0",
    DATABASE_URL: "postgresql://u:p@db:5432/x",
    OTHER: "searching:80",
  });
  expect(proposal?.reason).toBe(
    "The app's variables name search of deploy/docker-compose.yml (getmeili/meilisearch:v1.11), vectors of deploy/docker-compose.yml (qdrant/qdrant). With Docker, each start of the app gets its own (docs/services.md):",
  );
  expect(parse(proposal?.lines.join("\n") ?? "")).toEqual({
    services: {
      search: { compose: "deploy/docker-compose.yml", "app-env": { SEARCH_URL: "http://{host}:{port}/v1" } },
      vectors: { compose: "deploy/docker-compose.yml", port: 8_080, "app-env": { VECTORS_HOST: "{host}" } },
    },
  });
});

test("paths begin where the configuration's do, and other folders are not in it", () => {
  const file = { path: "deploy/docker-compose.yml", text: compose };
  const values = reading({ SEARCH_URL: "http://search:7700" });
  const [proposal] = proposeComposed([file], values, new Set(), "deploy");
  expect(proposal?.lines).toContain("    compose: docker-compose.yml");
  expect(proposeComposed([file], values, new Set(), "services/shop")).toEqual([]);
});

test.for<readonly [what: string, values: Record<string, string>, given: string[], text?: string]>([
  ["a value that is given already", { SEARCH_URL: "http://search:7700" }, ["SEARCH_URL"]],
  ["a value of another host", { SEARCH_URL: "https://search.example.com" }, []],
  ["a service that is built", { WEB: "web" }, []],
  ["what is no YAML", { SEARCH: "search" }, [], "services: ["],
  ["lines in a name", { S: "a\nb: c" }, [], 'services: { "a\\nb: c": { image: x } }'],
])("nothing is shown for %s", ([, values, given, text]) => {
  expect(proposed(values, given, text)).toEqual([]);
});
