import { textMatching } from "./pattern-text.ts";

/** Texts of formats that validators check. */
const formats: Readonly<Record<string, string>> = {
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00",
  duration: "PT1M",
  email: "user@example.com",
  "idn-email": "user@example.com",
  uri: "https://example.com/",
  "uri-reference": "/",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  ipvanyaddress: "192.0.2.1",
  ipv4network: "192.0.2.0/24",
  ipv6network: "2001:db8::/32",
  ipvanynetwork: "192.0.2.0/24",
  ipv4interface: "192.0.2.1/24",
  ipvanyinterface: "192.0.2.1/24",
  byte: "dGV4dA==",
  base64: "dGV4dA==",
  "json-string": "{}",
  "json-pointer": "/a",
};

const numberIn = (schema: unknown, name: string): number | undefined => {
  const value = memberOf(schema, name);
  return typeof value === "number" ? value : undefined;
};

/** A number within the limits of a schema, 1 if it may be; `undefined` when none was found. */
export function numberOf(schema: unknown): number | undefined {
  const { from, above, to, below } = limitsOf(schema);
  const wanted = Math.abs(numberIn(schema, "multipleOf") ?? 0);
  const isWhole = memberOf(schema, "type") === "integer";
  const least = Math.max(from, above);
  const most = Math.min(to, below);
  const fits = (value: number) =>
    Number.isFinite(value) &&
    value >= from &&
    value > above &&
    value <= to &&
    value < below &&
    (wanted === 0 || Number.isInteger(value / wanted)) &&
    (!isWhole || Number.isInteger(value));
  const step = wanted || 1;
  const multiples = [Math.ceil(least / step), Math.floor(most / step)].flatMap((count) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((more) => [(count + more) * step, (count - more) * step]),
  );
  return [1, ...multiples, step, 0, (least + most) / 2, least, most].find(fits);
}

/** OpenAPI 3.0 says by a boolean that a limit is excluded; later versions have a limit of its own for that. */
function limitsOf(schema: unknown) {
  const [minimum, maximum] = [numberIn(schema, "minimum"), numberIn(schema, "maximum")];
  const [above, below] = [numberIn(schema, "exclusiveMinimum"), numberIn(schema, "exclusiveMaximum")];
  const isAbove = memberOf(schema, "exclusiveMinimum") === true;
  const isBelow = memberOf(schema, "exclusiveMaximum") === true;
  return {
    from: minimum ?? Number.NEGATIVE_INFINITY,
    to: maximum ?? Number.POSITIVE_INFINITY,
    above: above ?? (isAbove ? minimum : undefined) ?? Number.NEGATIVE_INFINITY,
    below: below ?? (isBelow ? maximum : undefined) ?? Number.POSITIVE_INFINITY,
  };
}

/** Longer texts are no inputs that an author had in mind. */
const longestText = 10_000;

/** A text that a schema allows; `undefined` when none was found. */
export function textOf(schema: unknown): string | undefined {
  const least = numberIn(schema, "minLength") ?? 0;
  const most = numberIn(schema, "maxLength") ?? Number.POSITIVE_INFINITY;
  const fits = (text: string | undefined) =>
    text !== undefined && text.length >= least && text.length <= most ? text : undefined;
  const format = memberOf(schema, "format");
  const pattern = memberOf(schema, "pattern");
  const known = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (typeof pattern === "string")
    return known === undefined ? textMatching(pattern, least, most) : undefined;
  if (known !== undefined) return fits(known);
  return fits("text".padEnd(Math.min(least, longestText), "x").slice(0, most));
}

const later = /(?:^|_)(?:end|ends|due|deadline|expir\w*|until|finish\w*|valid_to|check_?out|return)(?:_|$)/;
const soon =
  /(?:^|_)(?:start|starts|begin\w*|check_?in|schedul\w*|appointment|booking|reserv\w*|event|depart\w*)(?:_|$)/;

/** What the rules of apps expect by a member's name, where its schema says nothing. */
const named: readonly (readonly [name: RegExp, values: Readonly<Record<string, string | number>>])[] = [
  [later, { date: "2099-12-31", "date-time": "2099-12-31T12:00:00Z" }],
  [soon, { date: "2099-12-30", "date-time": "2099-12-30T12:00:00Z" }],
  [/(?:^|_)e?mail(?:_address)?$/, { text: "user@example.com" }],
  [/^(?:user_?name|login|nick_?name)$/, { text: "loadtest" }],
  [/(?:^|_)(?:url|website|link)$/, { text: "https://example.com/" }],
  [/(?:^|_)age$/, { number: 30 }],
  [/(?:^|_)year$/, { number: 2024 }],
];

/** A value made up for a schema alone, or a likelier one by the name of the member that has it. */
export function likelier(name: string, schema: unknown, value: unknown): unknown {
  const kind = typeof value === "number" ? "number" : String(memberOf(schema, "format") ?? "text");
  const isFree = typeof value === "number" ? value === 1 : isMadeUp(value) || value === formats[kind];
  const plain = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const found = isFree ? named.find(([pattern]) => pattern.test(plain))?.[1][kind] : undefined;
  if (found === undefined || memberOf(schema, "pattern") !== undefined) return value;
  const { from, above, to, below } = limitsOf(schema);
  const isWithin =
    typeof found === "number"
      ? found >= from && found > above && found <= to && found < below
      : found.length >= (numberIn(schema, "minLength") ?? 0) &&
        found.length <= (numberIn(schema, "maxLength") ?? Number.POSITIVE_INFINITY);
  return isWithin && numberIn(schema, "multipleOf") === undefined ? found : value;
}

/** True for a text that `textOf` has made up without a format or a pattern: it names nothing that exists. */
export function isMadeUp(text: unknown): boolean {
  return typeof text === "string" && /^(?:t|te|tex|textx*)?$/.test(text);
}

/** Anything that JSON can hold, read by name. */
export function memberOf(value: unknown, name: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
