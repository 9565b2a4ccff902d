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
    const [, scheme = ""] = /^([a-z+]{3,30}):\/\/[^/]/.exec(value) ?? [];
    const called = services.find(([pattern]) => pattern.test(scheme))?.[1];
    return called === undefined ? [] : [`${called} (${name})`];
  });
}
