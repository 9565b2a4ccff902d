import type { Endpoint } from "./endpoint.ts";

export type ParameterValue = string | number;

export type ParameterSource =
  /** Whole numbers, both ends included. */
  | { readonly kind: "range"; readonly from: number; readonly to: number }
  | { readonly kind: "list"; readonly values: readonly ParameterValue[] }
  /** A column of a CSV file; the path starts at the configuration file's folder. */
  | {
      readonly kind: "csv";
      readonly file: string;
      readonly column: string;
      /** Empty until the file was read. */
      readonly values: readonly string[];
    }
  /** The first column of a query's result, on a copy of the head's seeded database. */
  | { readonly kind: "sql"; readonly query: string };

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "text"; readonly text: string };

/** The reply that the dry request must get. */
export interface Expectation {
  /** Empty: any below 400. */
  readonly statuses: readonly number[];
  readonly contains: string | undefined;
}

export interface Capture {
  /** Stands in braces in those steps. */
  readonly name: string;
  /** `json`: `place` is a JSON pointer into the body; otherwise the name of a header or cookie. */
  readonly kind: "json" | "header" | "cookie";
  readonly place: string;
}

export interface EndpointForm {
  /** Its path includes the query; `{name}` stands for a parameter. */
  readonly endpoint: Endpoint;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | undefined;
  readonly params: Readonly<Record<string, ParameterSource>>;
  readonly expect: Expectation;
  /** Absent: none. */
  readonly captures?: readonly Capture[];
  /** Names in braces that other endpoints capture; absent: none. */
  readonly needs?: readonly string[];
  /** Share in the mix, relative to the others in it; `undefined` for a cell of its own. */
  readonly weight: number | undefined;
  /** True when the app's OpenAPI document filled it in. */
  readonly isDiscovered?: true;
  /** Places of the form and its parameters, for messages: `.github/loadtest.yml:4:5`. The key "" is its own. */
  readonly places: Readonly<Record<string, string>>;
}

const placeholder = /\{(\w+)\}/g;

export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, name = ""]) => name))];
}

/** Replaces names in braces by values; names unknown to `valueFor` stay. */
export function fillText(text: string, valueFor: (name: string) => string | undefined): string {
  return text.replaceAll(placeholder, (whole, name: string) => valueFor(name) ?? whole);
}

/** Its name in a list of endpoints, always with the method, so that it means one form. */
export function formName({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

export function formOf(forms: readonly EndpointForm[], endpoint: Endpoint): EndpointForm | undefined {
  return endpoint.form === undefined
    ? undefined
    : forms.find((form) => formName(form.endpoint) === formName(endpoint));
}

/** The form that a line of `endpoints` names, with or without its query, if there is only one. */
export function formNamed(forms: readonly EndpointForm[], line: Endpoint): EndpointForm | undefined {
  const exact = forms.find(({ endpoint }) => formName(endpoint) === formName(line));
  if (exact !== undefined || line.path.includes("?")) return exact;
  const alike = forms.filter(
    ({ endpoint }) => endpoint.method === line.method && endpoint.path.split("?")[0] === line.path,
  );
  return alike.length === 1 ? alike[0] : undefined;
}

/** Patterns for the app's own endpoints: `/items/*` or `POST /orders`; `*` stands for anything. */
export interface Patterns {
  /** Without a method: GET. Empty: every GET. */
  readonly include: readonly string[];
  /** Without a method: all of them. */
  readonly exclude: readonly string[];
}
