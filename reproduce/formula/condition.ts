/** One part of a condition: the value of one fact of the system. */
interface Requirement {
  readonly name: string;
  readonly value: string;
}

/** Thrown for a text that is not a condition. */
export class ConditionError extends Error {
  override readonly name = "ConditionError";
}

/** Reads conditions such as `loop=asyncio and TCP_NODELAY unset`; throws a `ConditionError`. */
export function parseCondition(text: string): readonly Requirement[] {
  return text.split(" and ").map((part) => {
    const [, name, value] = /^([\w.]+)(?:=| )([\w.]+)$/.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined)
      throw new ConditionError(`${JSON.stringify(part)} is not a condition such as "loop=asyncio"`);
    return { name, value };
  });
}

/** True when the facts of a case meet a condition; `undefined` when they do not tell. */
export function isConditionMet(
  condition: string,
  facts: Readonly<Record<string, string>>,
): boolean | undefined {
  const known = new Map(Object.entries(facts));
  const states = parseCondition(condition).map(({ name, value }) => {
    const fact = known.get(name);
    return fact === undefined ? undefined : fact === value;
  });
  if (states.includes(false)) return false;
  return states.includes(undefined) ? undefined : true;
}
