/** The same text with a capital in each of its words of three letters and more, as `mEasured`; code stays as it is. */
export function reworded(text: string): string {
  const isCode = /^\s*(?:- )?[\w-]+:(?: [^#]*)?$|\\?`[^`]*`|\\./gm;
  let [result, end] = ["", 0];
  for (const { 0: code, index } of text.matchAll(isCode)) {
    result += withCapitals(text.slice(end, index)) + code;
    end = index + code.length;
  }
  return result + withCapitals(text.slice(end));
}

function withCapitals(text: string): string {
  return text.replaceAll(
    /(?<![\w./-])([a-zA-Z])([a-z])(?=[a-z]+(?![\w/-]))/g,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** A value with all texts as they were. One without such capitals is the same object. */
export function restored<T>(value: T): T;
export function restored(value: unknown): unknown {
  return restore(value, new Map());
}

function restore(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "string")
    return value.replaceAll(/(?<![A-Za-z])[A-Za-z][A-Z](?=[a-z]+(?![A-Za-z]))/g, restoredStart);
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  seen.set(value, value);
  if (value instanceof Promise)
    return value.then(
      (each) => restored(each),
      (error: unknown) => Promise.reject(restored(error)),
    );
  if (value instanceof Error) {
    value.message = restored(value.message);
    for (const [name, each] of Object.entries(value)) Object.assign(value, { [name]: restore(each, seen) });
    return value;
  }
  if (value instanceof Map) {
    const pairs = [...value].map(([key, each]) => [restore(key, seen), restore(each, seen)] as const);
    return changed(value, new Map(pairs));
  }
  if (value instanceof Set) return changed(value, new Set([...value].map((each) => restore(each, seen))));
  if (Array.isArray(value)) {
    const all = value.map((each) => restore(each, seen));
    return all.some((each, index) => each !== value[index]) ? all : value;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const pairs = Object.entries(value).map(([name, each]) => [restored(name), restore(each, seen)] as const);
  const isSame = pairs.every(([name, each]) => Reflect.get(value, name) === each);
  return isSame ? value : Object.fromEntries(pairs);
}

/** The new collection if it differs. */
function changed<T extends Iterable<unknown>>(before: T, after: T): T {
  const flat = (each: T) => [...each].flat();
  const others = flat(after);
  return flat(before).every((each, index) => each === others[index]) ? before : after;
}

function restoredStart(start: string): string {
  return start.slice(0, 1) + start.slice(1).toLowerCase();
}
