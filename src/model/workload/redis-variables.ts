const placeholders = ["host", "port", "url"] as const;
const placeholderPattern = /\{(\w*)\}/g;

/** One sentence on the mistake in the template of a variable's value, or `undefined`. */
export function redisTemplateProblem(template: string): string | undefined {
  const unknown = [...template.matchAll(placeholderPattern)].find(
    ([, name]) => !placeholders.some((each) => each === name),
  );
  return (
    unknown &&
    `has an unknown placeholder ${unknown[0]}; known are ${placeholders.map((name) => `{${name}}`).join(", ")}`
  );
}

/** Variables by which an app finds a Redis at that port of this machine. */
export function redisVariables(
  templates: Readonly<Record<string, string>>,
  port: number,
): Readonly<Record<string, string>> {
  const host = "127.0.0.1";
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => [
      name,
      template
        .replaceAll("{url}", `redis://${host}:${port}/0`)
        .replaceAll("{host}", host)
        .replaceAll("{port}", String(port)),
    ]),
  );
}
