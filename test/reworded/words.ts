const first = "a".charCodeAt(0);
const circled = 0x24d0;

/** The same text with a circled letter in each of its words of three letters and more; code stays as it is. */
export function reworded(text: string): string {
  const isCode = /^\s*(?:- )?[\w-]+:(?: [^#]*)?$|\\?`[^`]*`|\\./gm;
  let [result, end] = ["", 0];
  for (const { 0: code, index } of text.matchAll(isCode)) {
    result += withCircles(text.slice(end, index)) + code;
    end = index + code.length;
  }
  return result + withCircles(text.slice(end));
}

function withCircles(text: string): string {
  return text.replaceAll(
    /(?<![\w./-])([a-zA-Z])([a-z])(?=[a-z]+(?![\w/-]))/g,
    (_, before: string, letter: string) =>
      before + String.fromCharCode(circled + letter.charCodeAt(0) - first),
  );
}

/** A value with all texts as they were. One without circles is the same object. */
export function restored<T>(value: T): T;
export function restored(value: unknown): unknown {
  return restore(value, new Map());
}

function restore(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "string")
    return value.replaceAll(/[ⓐ-ⓩ]/g, (each) => String.fromCharCode(each.charCodeAt(0) - circled + first));
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
