/** Address of every service of ours. */
export const serviceHost = "127.0.0.1";

/** How one knows that a service can be used. */
export type Readiness =
  /** It keeps a connection open. */
  | { readonly kind: "tcp" }
  /** It answers below 400. */
  | { readonly kind: "http"; readonly path: string }
  /** Its first bytes, after `send` where that is not empty, begin with `expect`. */
  | { readonly kind: "reply"; readonly send: string; readonly expect: string };

/** A program that serves; texts are templates (`commandPlaceholders`). */
export interface ServiceProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** Command that makes its data folder; absent: none is needed. */
  readonly setup?: readonly [program: string, ...args: string[]];
  /** Text files that are put into its folder before. */
  readonly files?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ServiceImage {
  readonly image: string;
  /** Port in the container. */
  readonly port: number;
  /** A second one, which `{port2}` stands for. */
  readonly port2?: number;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** What the words of a service's address stand for, besides its host and ports. */
interface ServiceAddress {
  /** Template of `{url}`. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
}

/** What an app needs besides its own process. Each start of the app gets an instance of its own. */
export interface Service {
  readonly name: string;
  /** The first that is on this machine is used, otherwise the image. */
  readonly programs: readonly ServiceProgram[];
  readonly image?: ServiceImage;
  /** A compose file that has a service of the same name, until it was read; absent: none describes it. */
  readonly composed?: { readonly file: string; readonly own: Partial<ServiceImage> };
  /** Routes of our own stub server, as JSON, which takes the place of programs and image; absent: it is no stub. */
  readonly stub?: string;
  /** Debian's package with such a program, for messages. */
  readonly debianPackage?: string;
  readonly address: ServiceAddress;
  /** Variables by which the app finds it; templates (`addressPlaceholders`). */
  readonly appVariables: Readonly<Record<string, string>>;
  readonly ready: Readiness;
  readonly readyWithinSeconds: number;
  /** Commands of the app that fill each instance, as written; absent: it begins empty. */
  readonly seed?: readonly string[];
}

/** A process of the app's alongside its server, e.g. a worker of a queue. */
export interface Companion {
  readonly name: string;
  /** As written; split into words when it runs. */
  readonly command: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Words of its output by which one knows that it works; absent: it counts from its start on. */
  readonly readyText?: string;
}

export const addressPlaceholders = ["host", "port", "port2", "url", "user", "password", "database"] as const;
/** `folder`: an empty one of its own; `me`: the user that we run as. */
export const commandPlaceholders = ["host", "port", "port2", "port3", "folder", "me"] as const;

export interface ServicePorts {
  readonly port: number;
  /** For what it needs besides. */
  readonly port2: number;
  readonly port3: number;
}

export function appVariablesOf(
  { address, appVariables }: Pick<Service, "address" | "appVariables">,
  ports: ServicePorts,
): Readonly<Record<string, string>> {
  const { user = "", password = "", database = "" } = address;
  const place = { host: serviceHost, ...ports, user, password, database };
  const values = { ...place, url: filled(address.url, place) };
  return Object.fromEntries(
    Object.entries(appVariables).map(([name, template]) => [name, filled(template, values)]),
  );
}

const nothingThere: ServicePorts = { port: 1, port2: 1, port3: 1 };

/** The same variables of services that are not started: nothing listens on their ports. */
export function placeholderVariables(services: readonly Service[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...services.map((each) => appVariablesOf(each, nothingThere)));
}

const pattern = /\{(\w*)\}/g;

/** Fills the known placeholders of a template; braces of any other kind stay as they are. */
export function filled(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(pattern, (written, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : written,
  );
}

/** One sentence on the first unknown placeholder of a template, or `undefined`. */
export function placeholderProblem(template: string, known: readonly string[]): string | undefined {
  const unknown = [...template.matchAll(pattern)].find(([, name = ""]) => !known.includes(name));
  return (
    unknown &&
    `has an unknown placeholder ${unknown[0]}; choose from ${known.map((name) => `{${name}}`).join(", ")}`
  );
}

const services: readonly (readonly [scheme: RegExp, called: string])[] = [
  [/^(?:rediss?|valkeys?|unix\+redis)$/, "Redis"],
  [/^(?:amqps?|pyamqp)$/, "RabbitMQ"],
  [/^mongodb(?:\+srv)?$/, "MongoDB"],
  [/^(?:mysql|mariadb)(?:\+\w+)?$/, "MySQL"],
  [/^postgres(?:ql)?(?:\+\w+)?$/, "Postgres"],
  [/^(?:nats|kafka)$/, "queue"],
];

/** Variables that name a service outside, without values: `Redis (REDIS_URL)`. */
export function sharedServices(variables: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    const called = serviceAt(value);
    return called === undefined ? [] : [`${called} (${name})`];
  });
}

/** Hosts of those services, in small letters and without their ports. */
export function hostsOfServices(addresses: readonly string[]): readonly string[] {
  return addresses
    .filter((address) => serviceAt(address) !== undefined)
    .flatMap((address) => (address.replace(/^[^:]+:\/\/(?:[^/]*@)?/, "").split(/[/?]/)[0] ?? "").split(","))
    .map((each) => each.replace(/:\d*$/, "").replaceAll(/[[\]]/g, "").toLowerCase());
}

function serviceAt(address: string): string | undefined {
  const [, scheme = ""] = /^([a-z+]{3,30}):\/\/[^/]/.exec(address) ?? [];
  return services.find(([pattern]) => pattern.test(scheme))?.[1];
}
