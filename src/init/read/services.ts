import { servicePresets } from "../../model/workload/service-presets.ts";
import type { FoundSetting, ProjectFile, ReadVariable } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

interface KnownService {
  readonly called: string;
  /** Its name among the presets; absent: the load test has none. */
  readonly preset?: string;
  /** Distributions that talk to it. */
  readonly clients: readonly string[];
  /** Distributions that may talk to it or to another one. */
  readonly users?: readonly string[];
  /** Variables that hold its address. */
  readonly variable: RegExp;
  /** Values, and types, of such variables. */
  readonly value?: RegExp;
  readonly example: string;
  /** True when an app keeps its rows there. */
  readonly isStore?: true;
}

const services: readonly KnownService[] = [
  {
    called: "Redis",
    preset: "redis",
    clients: ["redis", "aioredis", "arq", "fastapi-cache2", "fastapi-limiter", "rq", "redis-om", "dramatiq"],
    users: ["celery", "kombu", "taskiq"],
    variable: /REDIS/,
    value: /Redis|^rediss?:\/\//,
    example: "redis://127.0.0.1:6379/0",
  },
  {
    called: "RabbitMQ",
    preset: "rabbitmq",
    clients: ["aio-pika", "pika", "aiormq", "kombu", "celery"],
    variable: /AMQP|RABBIT/,
    value: /Amqp|^amqps?:\/\//,
    example: "amqp://guest:guest@127.0.0.1:5672/",
  },
  {
    called: "MongoDB",
    preset: "mongodb",
    clients: ["motor", "pymongo", "beanie", "odmantic", "mongoengine"],
    variable: /MONGO/,
    value: /Mongo|^mongodb(?:\+srv)?:\/\//,
    example: "mongodb://127.0.0.1:27017/app",
    isStore: true,
  },
  {
    called: "Memcached",
    preset: "memcached",
    clients: ["aiomcache", "pymemcache", "pylibmc", "python-memcached"],
    variable: /MEMCACHE/,
    example: "127.0.0.1",
  },
  {
    called: "MinIO",
    preset: "minio",
    clients: ["minio"],
    users: ["boto3", "aioboto3", "aiobotocore", "s3fs", "miniopy-async"],
    variable: /S3|MINIO|AWS/,
    example: "http://127.0.0.1:9000",
  },
  {
    called: "Mailpit",
    preset: "mailpit",
    clients: [],
    users: ["aiosmtplib", "fastapi-mail", "emails"],
    variable: /SMTP|MAIL/,
    example: "127.0.0.1",
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

type Part = "url" | "host" | "port" | "user" | "password" | "database";

const settings: readonly (readonly [pattern: RegExp, part: Part])[] = [
  [/(?:URL|URI|DSN|BROKER|BACKEND)$/, "url"],
  [/(?<!CHECK_)(?:HOST|HOSTNAME|SERVER)$/, "host"],
  [/PORT$/, "port"],
  [/(?:PASSWORD|PASS|SECRET_KEY|SECRET_ACCESS_KEY)$/, "password"],
  [/(?:USER|USERNAME|ACCESS_KEY(?:_ID)?)$/, "user"],
  [/(?:DB|DATABASE|DB_NAME)$/, "database"],
];

/** A service that an app needs, and can have. */
interface FoundService {
  readonly preset: string;
  readonly called: string;
  readonly variables: Readonly<Record<string, string>>;
  /** End of a sentence. */
  readonly reason: string;
}

/** The services whose client is required, and whose variables are known and suffice to find them. */
export function findServices(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): readonly FoundService[] {
  return services.flatMap((service) => {
    const client = [...service.clients, ...(service.users ?? [])].find(has);
    const { preset, called } = service;
    if (client === undefined || preset === undefined) return [];
    const isQueue = preset === "redis" && !variables.some(isOfRabbit);
    const found = variables.flatMap(({ name, path, type = "", value = "", isNeeded }) => {
      const isIts =
        service.variable.test(name) ||
        service.value?.test(type) ||
        service.value?.test(value) ||
        (isQueue && queueName.test(name) && !value.includes("://"));
      const isAddress = service.value?.test(value) && value.includes("://");
      const part = isAddress ? "url" : settings.find(([pattern]) => pattern.test(name))?.[1];
      if (!isIts || part === undefined) return [];
      if (isKnown(preset, part)) return [{ name, path, part, text: `{${part}}` }];
      // Ours knows nobody, and refuses those who want to be known.
      const isOfNobody = preset === "redis" && /^(?:user|password)$/.test(part) && (isNeeded || value !== "");
      return isOfNobody ? [{ name, path, part, text: "" }] : [];
    });
    const offers = (wanted: Part) => found.some(({ part }) => part === wanted);
    const [first] = found;
    // An app without a setting for the machine may name this one in its code.
    const isHere = found.some(({ path }) =>
      files.some((file) => file.path === path && namesHere.test(file.text)),
    );
    if (first === undefined || !(offers("url") || (offers("port") && (offers("host") || isHere)))) return [];
    return [
      {
        preset,
        called,
        variables: Object.fromEntries(found.map(({ name, text }) => [name, text])),
        reason: `${first.path} reads them, and ${client} is required`,
      },
    ];
  });
}

const namesHere = /["'](?:localhost|127\.0\.0\.1)["']/;

/** Names of the addresses of a queue, which may be in either. */
const queueName = /^(?:CELERY|BROKER)\w*(?:URL|BROKER|BACKEND)$/;

function isOfRabbit({ name, value = "" }: ReadVariable): boolean {
  return /AMQP|RABBIT/.test(name) || value.startsWith("amqp");
}

/** Not every service has users and databases with names; those of Redis are numbers. */
function isKnown(preset: string, part: Part): boolean {
  if (part === "url" || part === "host" || part === "port") return true;
  return Object.hasOwn(servicePresets[preset]?.address ?? {}, part);
}

/**
 * The key `services`; none when the app needs none.
 *
 * @param filling a command that makes the rows of an app which has no other database, if there is one
 */
export function servicesSetting(
  found: readonly FoundService[],
  filling: FoundSetting | undefined,
): readonly FoundSetting[] {
  if (found.length === 0) return [];
  const stores = services.filter(({ isStore }) => isStore).map(({ preset }) => preset);
  const settingsOf = ({ preset, variables }: FoundService) => ({
    "app-env": variables,
    ...(filling !== undefined && stores.includes(preset) && { seed: filling.value }),
  });
  const filled = filling !== undefined && found.some(({ preset }) => stores.includes(preset));
  const reasons = [
    ...found.map(({ called, reason }) => `${called}: ${reason}`),
    "each start of the app gets its own",
    ...(filled ? [filling.reason] : []),
  ];
  return [
    {
      key: "services",
      value: Object.fromEntries(found.map((each) => [each.preset, settingsOf(each)])),
      reason: reasons.join("; "),
    },
  ];
}

/** Modules of distributions that are not called like them. */
const importNames: Readonly<Record<string, string>> = {
  "fastapi-cache2": "fastapi_cache",
  "kafka-python": "kafka",
  "opensearch-py": "opensearchpy",
  "python-memcached": "memcache",
};

/** True when code imports a distribution: many a requirements file lists what a template once used. */
function isImported(distribution: string, files: readonly ProjectFile[]): boolean {
  const module = importNames[distribution] ?? distribution.replaceAll("-", "_");
  const imports = (text: string) =>
    [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+(\w+)/gm)].some(([, name]) => name === module);
  return files.some(({ path, text }) => path.endsWith(".py") && imports(text));
}

/**
 * Services that an app may need and does not get, each with one sentence on the setting to write.
 *
 * @param files the app's own
 */
export function lackingServices(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  found: readonly FoundService[],
  presetsHere: ReadonlySet<string>,
  files: readonly ProjectFile[],
): readonly string[] {
  // Celery has its queue in another service, if one is required.
  const isMet = ({ clients, preset }: KnownService) =>
    found.some((each) => each.preset === preset) ||
    ((found.length > 0 || services.some((each) => each.preset === "redis" && each.clients.some(has))) &&
      clients.filter(has).every((client) => client === "celery" || client === "kombu"));
  return services.flatMap((service) => {
    const { called, clients, users = [], variable, example, preset } = service;
    const isUsed = users.some((each) => isImported(each, files));
    const client = clients.find((each) => has(each) && (isUsed || isMet(service) || isImported(each, files)));
    if (client === undefined) return [];
    if (isMet(service)) {
      if (preset === undefined || presetsHere.has(preset) || !found.some((each) => each.preset === preset))
        return [];
      return [
        `the app needs ${called} (its requirements have ${client}), which cannot be started here: ${remedy(preset)}, and run \`init\` again; then each start of the app gets its own (\`services\`)`,
      ];
    }
    const fixed = placeInCode(example, files);
    if (fixed !== undefined)
      return [
        `${fixed} has the address of ${called} in the code; read it from a variable instead, e.g. \`os.environ["${called.toUpperCase()}_URL"]\``,
      ];
    const first = variables.find(({ name }) => variable.test(name) && /UR[LI]|DSN|HOST/.test(name))?.name;
    const how =
      first === undefined ? "" : `, e.g. ${first}: ${/UR[LI]|DSN/.test(first) ? example : "127.0.0.1"}`;
    return [
      `the app may need ${called} (its requirements have ${client}): if it fails without, describe it and its variables in \`services\`${how}`,
    ];
  });
}

/** The file that names a service's machine and port, as a compose file calls it: `redis://:{password}@redis:6379`. */
function placeInCode(example: string, files: readonly ProjectFile[]): string | undefined {
  const [scheme] = /^(?!http)[a-z]+:\/\//.exec(example) ?? [];
  const isTests = (path: string) => /(?:^|\/)(?:tests?|conftest)\b/.test(path);
  const names = (text: string) => [...text.matchAll(addressInCode)].some(([, each]) => each === scheme);
  return files.find(({ path, text }) => path.endsWith(".py") && !isTests(path) && names(text))?.path;
}

const addressInCode = /["']([a-z]+:\/\/)(?:[^"'@\s/]{0,100}@)?[a-z][\w.-]{0,60}:\d{2,5}\b/g;

/** The end of a sentence on how to get a service's program. */
export function remedy(preset: string): string {
  const { debianPackage, programs = [] } = servicePresets[preset] ?? {};
  const program = programs[0]?.program.split("/").at(-1);
  return debianPackage === undefined
    ? `put ${program} on PATH, or install Docker`
    : `put ${program} on PATH (sudo apt-get install --yes ${debianPackage})`;
}
