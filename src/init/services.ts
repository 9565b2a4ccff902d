import type { FoundRequirements } from "./requirements.ts";
import type { FoundSetting } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

interface Service {
  readonly called: string;
  /** Distributions that talk to it. */
  readonly clients: readonly string[];
  /** Variables that hold its address. */
  readonly variable: RegExp;
  readonly example: string;
}

const services: readonly Service[] = [
  {
    called: "Redis",
    clients: ["redis", "aioredis", "arq", "fastapi-cache2", "fastapi-limiter", "rq", "redis-om", "dramatiq"],
    variable: /REDIS|CACHE_URL/,
    example: "redis://127.0.0.1:6379/0",
  },
  {
    called: "a broker (RabbitMQ)",
    clients: ["aio-pika", "pika", "aiormq", "kombu", "celery"],
    variable: /AMQP|RABBIT|BROKER/,
    example: "amqp://guest:guest@127.0.0.1:5672/",
  },
  {
    called: "Kafka",
    clients: ["aiokafka", "kafka-python", "confluent-kafka"],
    variable: /KAFKA/,
    example: "127.0.0.1:9092",
  },
  {
    called: "Elasticsearch",
    clients: ["elasticsearch", "opensearch-py"],
    variable: /ELASTIC|OPENSEARCH/,
    example: "http://127.0.0.1:9200",
  },
];

const redisSettings: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/(?:URL|URI|DSN)$/, "{url}"],
  [/(?:HOST|HOSTNAME|SERVER)$/, "{host}"],
  [/PORT$/, "{port}"],
];

/** The variables by which the app finds its Redis; `undefined` when no client is required, or they do not suffice. */
export function findRedis(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
): FoundSetting | undefined {
  const client = services[0]?.clients.find(has);
  const found = variables.flatMap(({ name, path, type = "", value = "" }) => {
    const isOfRedis = /REDIS/.test(name) || /Redis/.test(type) || /^rediss?:\/\//.test(value);
    const placeholder = redisSettings.find(([pattern]) => pattern.test(name))?.[1];
    return isOfRedis && placeholder !== undefined ? [{ name, path, placeholder }] : [];
  });
  const offers = (placeholder: string) => found.some((each) => each.placeholder === placeholder);
  const [first] = found;
  if (client === undefined || first === undefined) return undefined;
  if (!offers("{url}") && !(offers("{host}") && offers("{port}"))) return undefined;
  return {
    key: "redis-env",
    value: Object.fromEntries(found.map(({ name, placeholder }) => [name, placeholder])),
    reason: `${first.path} reads them, and ${client} is required; each start of the app gets an empty Redis of its own`,
  };
}

/** Services that an app may need, each with one sentence on the setting to write. */
export function lackingServices(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  redis: { readonly isKnown: boolean; readonly isHere: boolean },
): readonly string[] {
  return services.flatMap(({ called, clients, variable, example }) => {
    const client = clients.find(has);
    if (client === undefined) return [];
    if (called === "Redis" && redis.isKnown)
      return redis.isHere
        ? []
        : [
            `the app may need Redis (${client} is among its requirements): put redis-server on PATH (sudo apt-get install --yes redis-server) and run \`init\` again, and each start of the app gets one of its own (\`redis-env\`)`,
          ];
    const read = variables.filter(({ name }) => variable.test(name)).map(({ name }) => name);
    const [first] = read.toSorted((a, b) => Number(/URL|HOST/.test(b)) - Number(/URL|HOST/.test(a)));
    const how =
      first === undefined
        ? ""
        : `, and name it in \`app-env\`: ${first}: ${/URL|URI|DSN/.test(first) ? example : "127.0.0.1"}`;
    return [
      `the app may need ${called} (${client} is among its requirements), which the load test does not start: where it fails without, start it in a step before (\`services:\` of the job)${how}`,
    ];
  });
}
