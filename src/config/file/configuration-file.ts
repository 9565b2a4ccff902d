import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  LineCounter,
  parseDocument,
  visit,
  type Document as YamlDocument,
} from "yaml";
import type * as z from "zod";
import { InputError, messageOf } from "../../errors/errors.ts";
import type { EndpointForm, Patterns } from "../../model/endpoint/form.ts";
import type { Login } from "../../model/endpoint/login.ts";
import type { Companion, Service } from "../../model/workload/service.ts";
import { shortenEnd } from "../../text/length.ts";
import { notOfFile } from "../input-checks.ts";
import { inputNamed, type RawInputs } from "../inputs.ts";
import { endpointsSchema, readEndpoints } from "./endpoint-forms.ts";
import { allKeys, type Key, keys, secretNames } from "./keys.ts";
import { loginSchema, readLogin } from "./login-form.ts";
import {
  processesSchema,
  readProcesses,
  readServices,
  readStubs,
  servicesSchema,
  stubsSchema,
} from "./service-forms.ts";
import { strictObject, textsOf, unknownKeys, type Value } from "./value-kinds.ts";

export interface ConfigurationFile {
  readonly name: string;
  /** Absolute; paths in the file are taken from here. */
  readonly folder: string;
  readonly texts: RawInputs;
  /** Place of each key of `texts`: `.github/loadtest.yml:3:10`. */
  readonly places: Readonly<Record<string, string>>;
  readonly forms: readonly EndpointForm[];
  readonly login: Login | undefined;
  /** The app's own endpoints that the file asks for, if any. */
  readonly patterns: Patterns | undefined;
  readonly services?: readonly Service[];
  readonly processes?: readonly Companion[];
}

const schemaOf = (of: readonly Key[]) =>
  strictObject(Object.fromEntries(of.map(({ name, schema }) => [name, schema.optional()])));

export const configurationSchema = schemaOf(keys);
const settingsSchema = schemaOf(allKeys);

const mostProblems = 50;
const longestProblem = 1_500; // the list of all keys fits

/** Reads a configuration file. Throws one `InputError` with every problem of form, by line and column. */
export function parseConfigurationFile(name: string, folder: string, yaml: string): ConfigurationFile {
  return parse(configurationSchema, name, folder, yaml);
}

/** Reads the caller's `settings` and what only callers may set. Paths are relative to `folder`. */
export function settingsOf({ settings }: RawInputs, folder: string): ConfigurationFile | undefined {
  return settings?.trim() ? parse(settingsSchema, "settings", folder, settings) : undefined;
}

function parse(
  schema: typeof configurationSchema,
  name: string,
  folder: string,
  yaml: string,
): ConfigurationFile {
  const counter = new LineCounter();
  // Warnings are refused here. The reader itself would print some, with the file's words in them.
  const options = { lineCounter: counter, prettyErrors: false, merge: true, logLevel: "error" } as const;
  const document = attempt(name, () => parseDocument(yaml, options));
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    throw refusal(faults.map(({ pos, message }) => `${at(pos[0])}: ${lowerFirst(wordsOf(message))}`));
  const strange = strangeKey(document);
  if (strange !== undefined) throw refusal([`${at(strange)}: a key must be plain text`]);
  const value: unknown = attempt(name, () => document.toJS({ maxAliasCount: 100 }) ?? {}); // an empty file sets nothing
  const result = schema.safeParse(value);
  const keyOffsets = keyOffsetsOf(document);
  const offsetOf = (path: readonly PropertyKey[]) =>
    (path.length === 1 ? keyOffsets.get(String(path[0])) : undefined) ?? nearestOffset(document, path);
  if (!result.success) {
    const problems = problemsOf(result.error.issues, value).map((each) => ({
      ...each,
      offset: offsetOf(each.path),
    }));
    const inOrder = problems.toSorted((a, b) => a.offset - b.offset);
    throw refusal(inOrder.map(({ offset, text }) => `${at(offset)}: ${text}`));
  }
  const { endpoints: whole, login, services, processes, stubs, ...others } = result.data;
  const companions = [
    ...(services === undefined ? [] : readServices(servicesSchema.parse(services))),
    ...(stubs === undefined ? [] : readStubs(stubsSchema.parse(stubs))),
  ];
  const placeOf = (path: readonly PropertyKey[]) => at(offsetOf(path));
  const twice = companions.find(
    (each, index) => companions.findIndex(({ name: other }) => other === each.name) < index,
  );
  if (twice !== undefined)
    throw refusal([`${placeOf(["stubs", twice.name])}: stubs.${twice.name}: is also the name of a service`]);
  const endpoints = whole === undefined ? undefined : readEndpoints(endpointsSchema.parse(whole), placeOf);
  const written: Record<string, unknown> = { ...others, endpoints: endpoints?.text };
  const given = Object.entries(written).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  return {
    name,
    folder,
    texts: textsOf(Object.fromEntries(given.map(([key, each]) => [key, typed(key, each)]))),
    places: Object.fromEntries(given.map(([key]) => [key, placeOf([key])])),
    forms: endpoints?.forms ?? [],
    patterns: endpoints?.patterns,
    login: login === undefined ? undefined : readLogin(loginSchema.parse(login), placeOf(["login"])),
    ...((services ?? stubs) !== undefined && { services: companions }),
    ...(processes !== undefined && { processes: readProcesses(processesSchema.parse(processes)) }),
  };
}

/** Offset of a key that is a list, a mapping or an alias: nested, each level makes its text twice as long. */
function strangeKey(document: YamlDocument.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Pair: (_, { key }) => {
      if (!isCollection(key) && !isAlias(key)) return undefined;
      offset = rangeOf(key) ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** An error with every problem; of very many only the first ones, and only the start of a long text. */
function refusal(problems: readonly string[]): InputError {
  const shown = problems.slice(0, mostProblems).map((each) => shortenEnd(each, longestProblem));
  const more = problems.length - shown.length;
  return new InputError([...shown, ...(more > 0 ? [`and ${more} more`] : [])]);
}

/** Lists are typed with one item a line, unless their row has another form. */
function typed(key: string, value: Value): Value {
  return inputNamed(key)?.form?.typed?.(value) ?? value;
}

/** The reader of YAML gives up on aliases that unfold to far more than the file. */
function attempt<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new InputError([`${name}: ${messageOf(error)}`]);
  }
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly text: string;
}

function problemsOf(issues: readonly z.core.$ZodIssue[], value: unknown): Problem[] {
  return issues.flatMap(innermost).flatMap(({ path, issue }) => {
    if (issue.code === "unrecognized_keys")
      return unknownKeys(issue.keys, issue.message).map(([key, text]) =>
        problem([...path, key], (path.length === 0 && notOfFile(key)) || text),
      );
    const text =
      path.length === 0 ? "must be lines such as `vus: 8`, with a space after the colon" : issue.message;
    return [problem(path, text + gotOf(value, path))];
  });
}

function problem(path: readonly PropertyKey[], text: string): Problem {
  return { path, text: `${path.length === 0 ? "the whole file" : path.join(".")}: ${text}` };
}

/** The problems of a value that may have several forms: those of the form that was probably meant. */
function innermost(
  issue: z.core.$ZodIssue,
): readonly { readonly path: readonly PropertyKey[]; readonly issue: z.core.$ZodIssue }[] {
  const { path } = issue;
  if (issue.code !== "invalid_union") return [{ path, issue }];
  const deep = issue.errors.find((each) => !each.some((one) => one.path.length === 0 && isOfType(one)));
  if (deep === undefined) return [{ path, issue }];
  return deep.flatMap(innermost).map((each) => ({ ...each, path: [...path, ...each.path] }));
}

function isOfType({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_type" || code === "invalid_union" || code === "invalid_value";
}

function gotOf(value: unknown, path: readonly PropertyKey[]): string {
  // The whole file may hold a secret, too.
  if (path.length === 0 || path.some((part) => secretNames.has(part))) return "";
  const got = path.reduce<unknown>((each, part) => propertyOf(each, part), value);
  const text = textOfValue(got);
  return ` (got ${text.length > 100 ? `${text.slice(0, 100)}...` : text})`;
}

function textOfValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "a value that contains itself"; // an alias within its own anchor
  }
}

function propertyOf(value: unknown, name: PropertyKey): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Place of each key of the file: there may be thousands, all of them wrong. */
function keyOffsetsOf({ contents }: YamlDocument.Parsed): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  for (const { key } of isMap(contents) ? contents.items : []) {
    const offset = rangeOf(key);
    if (offset !== undefined) offsets.set(String(key), offset);
  }
  return offsets;
}

/** Place of a key, or of an item of a list. A key without a place (a merged one) gets the nearest place around it. */
function nearestOffset(document: YamlDocument.Parsed, path: readonly PropertyKey[]): number {
  const parent = path.length < 2 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((each) => isPair(each) && String(each.key) === String(last));
    return rangeOf(pair?.key) ?? rangeOf(parent) ?? 0;
  }
  return (last === undefined ? undefined : rangeOf(document.getIn(path, true))) ?? rangeOf(parent) ?? 0;
}

function rangeOf(node: unknown): number | undefined {
  const range = propertyOf(node, "range");
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}

/** Cuts the quoted line from a message: it may be no YAML but a password. */
function wordsOf(message: string): string {
  return message.replace(/:?\s*".*$/s, "").replace("Maximum call stack size exceeded", "nested too deeply");
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
