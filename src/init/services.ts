import type { FoundRequirements } from "./requirements.ts";
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

/** Services that an app may need, each with one sentence on the setting to write. */
export function lackingServices(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
): readonly string[] {
  return services.flatMap(({ called, clients, variable, example }) => {
    const client = clients.find(has);
    if (client === undefined) return [];
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
