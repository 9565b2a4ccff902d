/** Services by the schemes of their addresses. */
const services: readonly (readonly [scheme: RegExp, called: string])[] = [
  [/^(?:rediss?|valkeys?|unix\+redis)$/, "Redis"],
  [/^(?:amqps?|pyamqp)$/, "RabbitMQ"],
  [/^mongodb(?:\+srv)?$/, "MongoDB"],
  [/^(?:mysql|mariadb)(?:\+\w+)?$/, "MySQL"],
  [/^postgres(?:ql)?(?:\+\w+)?$/, "Postgres"],
  [/^(?:nats|kafka)$/, "queue"],
];

/**
 * Each variable that names a service outside, which both arms would share: `Redis (REDIS_URL)`. Values are not told: they
 * may hold a password.
 */
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
