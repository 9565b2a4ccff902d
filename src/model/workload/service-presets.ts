import type { Service, ServiceProgram } from "./service.ts";

export type ServicePreset = Omit<Service, "name">;

const usualSeconds = 60;

const redisArgs = ["--port", "{port}", "--bind", "{host}", "--dir", "{folder}", "--save", ""];
const redisProgram = (program: string): ServiceProgram => ({
  program,
  args: [...redisArgs, "--appendonly", "no", "--daemonize", "no"],
});
const redis = {
  programs: [redisProgram("redis-server"), redisProgram("valkey-server")],
  debianPackage: "redis-server",
  address: { url: "redis://{host}:{port}/0" },
  appVariables: { REDIS_URL: "{url}" },
  ready: { kind: "reply", send: "PING\r\n", expect: "+PONG" },
  readyWithinSeconds: 10,
} as const;

const account = { user: "app", password: "app", database: "app" } as const;
const sqlAccount = [
  // Stored data have both already.
  "CREATE DATABASE IF NOT EXISTS app;",
  "CREATE USER IF NOT EXISTS 'app'@'%' IDENTIFIED BY 'app';",
  "CREATE USER IF NOT EXISTS 'app'@'localhost' IDENTIFIED BY 'app';",
  "GRANT ALL ON *.* TO 'app'@'%';",
  "GRANT ALL ON *.* TO 'app'@'localhost';",
  "",
].join("\n");
const sqlArgs = [
  "--datadir={folder}/data",
  "--bind-address={host}",
  "--port={port}",
  "--socket={folder}/socket",
  "--pid-file={folder}/pid",
  "--init-file={folder}/account.sql",
  "--innodb-flush-log-at-trx-commit=2",
  "--innodb-log-file-size=32M", // each copy of the data has one
  "--user={me}",
];
const mariadbProgram: ServiceProgram = {
  program: "mariadbd",
  setup: [
    "mariadb-install-db",
    "--no-defaults",
    "--datadir={folder}/data",
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    "--user={me}",
  ],
  args: ["--no-defaults", ...sqlArgs],
  files: { "account.sql": sqlAccount },
};
const mysqlProgram: ServiceProgram = {
  program: "mysqld",
  setup: ["mysqld", "--no-defaults", "--initialize-insecure", "--datadir={folder}/data", "--user={me}"],
  args: ["--no-defaults", "--mysqlx=OFF", "--disable-log-bin", ...sqlArgs],
  files: { "account.sql": sqlAccount },
};
const sql = {
  debianPackage: "mariadb-server",
  address: { url: "mysql://app:app@{host}:{port}/app", ...account },
  appVariables: { DATABASE_URL: "{url}" },
  // The server speaks first, and its words begin with their length.
  ready: { kind: "reply", send: "", expect: "" },
  readyWithinSeconds: usualSeconds,
} as const;

const mysql = {
  ...sql,
  // Debian's `mysqld` is MariaDB's, which its other name shows.
  programs: [mariadbProgram, mysqlProgram],
  image: {
    image: "mysql:8",
    port: 3306,
    args: [],
    variables: {
      MYSQL_ROOT_PASSWORD: "app",
      MYSQL_USER: "app",
      MYSQL_PASSWORD: "app",
      MYSQL_DATABASE: "app",
    },
  },
} as const satisfies ServicePreset;

/** A server whose data are seeded like a database of Postgres. */
export const mysqlService: Service = { name: "mysql", ...mysql };

/** Services by their names. A program is used where it is on this machine, otherwise the image. */
export const servicePresets: Readonly<Record<string, ServicePreset>> = {
  redis: { ...redis, image: { image: "redis:7", port: 6379, args: [], variables: {} } },
  valkey: {
    ...redis,
    programs: [redisProgram("valkey-server"), redisProgram("redis-server")],
    image: { image: "valkey/valkey:8", port: 6379, args: [], variables: {} },
  },
  mariadb: {
    ...sql,
    programs: [mariadbProgram],
    image: {
      image: "mariadb:11",
      port: 3306,
      args: [],
      variables: {
        MARIADB_ROOT_PASSWORD: "app",
        MARIADB_USER: "app",
        MARIADB_PASSWORD: "app",
        MARIADB_DATABASE: "app",
      },
    },
  },
  mysql,
  mongodb: {
    programs: [
      {
        program: "mongod",
        args: ["--bind_ip", "{host}", "--port", "{port}", "--dbpath", "{folder}", "--nounixsocket"],
      },
    ],
    image: { image: "mongo:7", port: 27_017, args: [], variables: {} },
    address: { url: "mongodb://{host}:{port}/app", database: "app" },
    appVariables: { MONGODB_URL: "{url}" },
    ready: { kind: "tcp" },
    readyWithinSeconds: usualSeconds,
  },
  rabbitmq: {
    // The one on PATH is a wrapper that insists on a user of its own.
    programs: ["/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server"].map((program) => ({
      program,
      args: [],
      variables: {
        HOME: "{folder}",
        RABBITMQ_NODENAME: "loadtest{port}@localhost",
        RABBITMQ_NODE_IP_ADDRESS: "{host}",
        RABBITMQ_NODE_PORT: "{port}",
        RABBITMQ_MNESIA_BASE: "{folder}",
        RABBITMQ_LOG_BASE: "{folder}",
        RABBITMQ_PID_FILE: "{folder}/pid",
        RABBITMQ_ENABLED_PLUGINS_FILE: "{folder}/plugins",
        // Its register of names is a daemon, so each node gets one of its own, which ends with it.
        ERL_EPMD_PORT: "{port2}",
        ERL_EPMD_ADDRESS: "{host}",
        RABBITMQ_DIST_PORT: "{port3}",
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "-kernel inet_dist_use_interface {127,0,0,1}",
      },
      files: { plugins: "[].\n" },
    })),
    image: { image: "rabbitmq:4", port: 5672, args: [], variables: {} },
    debianPackage: "rabbitmq-server",
    address: { url: "amqp://guest:guest@{host}:{port}/", user: "guest", password: "guest" },
    appVariables: { AMQP_URL: "{url}" },
    ready: { kind: "reply", send: "AMQP\0\0\u0009\u0001", expect: "\u0001" },
    readyWithinSeconds: 120,
  },
  minio: {
    programs: [
      {
        program: "minio",
        args: ["server", "{folder}", "--address", "{host}:{port}", "--console-address", "{host}:{port2}"],
        variables: { MINIO_ROOT_USER: "loadtest", MINIO_ROOT_PASSWORD: "loadtest-password" },
      },
    ],
    image: {
      image: "minio/minio",
      port: 9000,
      args: ["server", "/data"],
      variables: { MINIO_ROOT_USER: "loadtest", MINIO_ROOT_PASSWORD: "loadtest-password" },
    },
    address: { url: "http://{host}:{port}", user: "loadtest", password: "loadtest-password" },
    appVariables: {
      S3_ENDPOINT_URL: "{url}",
      AWS_ENDPOINT_URL: "{url}",
      AWS_ACCESS_KEY_ID: "{user}",
      AWS_SECRET_ACCESS_KEY: "{password}",
    },
    ready: { kind: "http", path: "/minio/health/ready" },
    readyWithinSeconds: usualSeconds,
  },
  memcached: {
    programs: [
      { program: "memcached", args: ["-l", "{host}", "-p", "{port}", "-U", "0", "-m", "64", "-u", "{me}"] },
    ],
    image: { image: "memcached:1.6", port: 11_211, args: [], variables: {} },
    debianPackage: "memcached",
    address: { url: "{host}:{port}" },
    appVariables: { MEMCACHED_HOST: "{host}", MEMCACHED_PORT: "{port}" },
    ready: { kind: "reply", send: "version\r\n", expect: "VERSION" },
    readyWithinSeconds: 10,
  },
  mailpit: {
    programs: [{ program: "mailpit", args: ["--smtp", "{host}:{port}", "--listen", "{host}:{port2}"] }],
    image: { image: "axllent/mailpit:v1.27", port: 1025, port2: 8025, args: [], variables: {} },
    address: { url: "smtp://{host}:{port}" },
    appVariables: { SMTP_HOST: "{host}", SMTP_PORT: "{port}" },
    ready: { kind: "reply", send: "", expect: "220" },
    readyWithinSeconds: 30,
  },
};

export const presetNames: readonly string[] = Object.keys(servicePresets);
