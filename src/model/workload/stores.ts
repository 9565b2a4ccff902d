/** Databases, brokers and stores that an app may open besides what runs for it alone. */
export interface Stores {
  /** Variable in which it finds its database; absent: it was given none. */
  readonly variable?: string;
  /** Variables and commands of the configuration, by name: what they name may be used. */
  readonly named: Readonly<Record<string, string>>;
}

/** Kinds of stores by the ports that they have everywhere. */
export const storePorts: Readonly<Record<number, string>> = {
  ...{ 5432: "Postgres", 5433: "Postgres", 6432: "Postgres", 3306: "MySQL", 33060: "MySQL" },
  ...{ 6379: "Redis", 6380: "Redis", 26379: "Redis", 27017: "MongoDB", 27018: "MongoDB" },
  ...{ 5671: "RabbitMQ", 5672: "RabbitMQ", 9092: "Kafka", 9093: "Kafka", 4222: "NATS" },
  ...{ 1433: "SQL Server", 1521: "Oracle", 7687: "Neo4j", 9042: "Cassandra", 9200: "Elasticsearch" },
  ...{ 11211: "Memcached", 26257: "CockroachDB" },
};

const usualPorts: readonly (readonly [word: RegExp, port: number])[] = [
  [/postgres|pg|cockroach|^db_|database/i, 5432],
  [/mysql|maria|^db_|database/i, 3306],
  [/redis|valkey/i, 6379],
  [/mongo/i, 27017],
  [/amqps/i, 5671],
  [/amqp|rabbit/i, 5672],
  [/kafka/i, 9092],
  [/nats/i, 4222],
  [/memcache/i, 11211],
  [/elastic/i, 9200],
];

const address = /([a-z][a-z0-9+.-]{0,40}):\/\/([^/?#\s"']{1,2000})/gi;
const hostAndPort = /^(\[[0-9a-f:.]{2,60}\]|[\w.-]{1,255}):(\d{1,5})$/i;
const bareHost = /^[\w.-]{1,255}$/;

/** Places `host:port` that variables name. `isAnyHostMeant`: also `REDIS_HOST` alone. */
export function placesIn(
  variables: Readonly<Record<string, string>>,
  isAnyHostMeant = false,
): readonly string[] {
  const places = Object.entries(variables).flatMap(([name, value]) => [
    ...[...value.matchAll(address)].flatMap(([, scheme = "", authority = ""]) =>
      inAddress(scheme, authority),
    ),
    ...value.split(/[\s,;=@]+/).flatMap((word) => placeOf(word)),
    ...(isAnyHostMeant && bareHost.test(value) && !/^\d+$/.test(value)
      ? portsFor(name).map((port) => placed(value, port))
      : []),
  ]);
  const values = Object.entries(variables);
  const ports = values.map(([, value]) => value).filter((value) => /^\d{1,5}$/.test(value));
  const hosts = values.filter(([name, value]) => /host|server|addr/i.test(name) && bareHost.test(value));
  const pairs = hosts.flatMap(([, host]) => ports.map((port) => placed(host, port)));
  return [...new Set([...places, ...pairs])];
}

function inAddress(scheme: string, authority: string): readonly string[] {
  const [usual] = portsFor(scheme);
  return authority
    .slice(authority.lastIndexOf("@") + 1)
    .split(",")
    .flatMap((each) => {
      const whole = placeOf(each);
      return whole.length > 0 || usual === undefined ? whole : [placed(each, usual)];
    });
}

function portsFor(words: string): readonly number[] {
  return usualPorts.filter(([word]) => word.test(words)).map(([, port]) => port);
}

function placeOf(word: string): readonly string[] {
  const [, host, port] = hostAndPort.exec(word) ?? [];
  return host === undefined || port === undefined ? [] : [placed(host, port)];
}

/** This machine has one name. */
function placed(host: string, port: number | string): string {
  const bare = host.replaceAll(/[[\]]/g, "").replace(/\.$/, "").toLowerCase();
  const isHere = /^(?:localhost|.*\.localhost|127\.[\d.]+|0\.0\.0\.0|::1?)$/.test(bare);
  return `${isHere ? "127.0.0.1" : bare}:${port}`;
}

/** Paths that variables name: of SQLite's addresses, and values that look like one. */
export function pathsIn(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(variables).flatMap((value) => {
    const [, ofSqlite] = /^(?:sqlite[\w+]*:\/\/\/?|file:)([^?]+)/.exec(value) ?? [];
    if (ofSqlite !== undefined) return [ofSqlite];
    return !value.includes("://") && /[/]|\.(?:db3?|sqlite3?)$/.test(value) ? [value] : [];
  });
}

/** One sentence on a store that the app opens. @param text e.g. `Redis at 127.0.0.1:6379` */
export function otherStoreSentence(text: string, { variable }: Stores): string {
  const isDatabase = /^(?:Postgres|MySQL|SQLite|MongoDB|CockroachDB|Oracle|SQL Server|a database) /.test(
    text,
  );
  const [how, remedy] =
    isDatabase && variable !== undefined
      ? [
          `not the database that it was given in ${variable}`,
          "Set database-variable to the variable that it reads",
        ]
      : ["which this run did not start", `Describe it in ${isDatabase ? "database" : "services"}`];
  return `the app opens ${text}, ${how}. ${remedy}, or name it under env if the load may use it`;
}

/** True for the usual names of SQLite's files, and of the files that it writes next to them. */
export function isSqliteFile(name: string): boolean {
  return /\.(?:db|db3|sqlite|sqlite3)(?:-wal|-shm|-journal)?$/i.test(name);
}
