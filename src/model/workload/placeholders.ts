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
    `has an unknown placeholder ${unknown[0]}; known are ${known.map((name) => `{${name}}`).join(", ")}`
  );
}
