/** Where finished figures go, as OpenTelemetry's standard variables say it. */
export interface OtlpSettings {
  /** Address of the metrics of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  /** Sent with each request; they usually hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the resource; `service.name` is always among them. */
  readonly resource: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** `off`: not requested. `problem`: requested, and impossible; names the variable, and holds no value of it. */
export type OtlpChoice =
  | { readonly kind: "off" }
  | { readonly kind: "problem"; readonly reason: string }
  | { readonly kind: "on"; readonly settings: OtlpSettings };

type Variables = Readonly<Record<string, string | undefined>>;

const usualTimeoutMs = 10_000;
const longestTimeoutMs = 30_000;
const serviceName = "fastapi-loadtest";

/** Reads OpenTelemetry's variables, first those of metrics. An address switches it on. */
export function otlpSettings(variables: Variables): OtlpChoice {
  const given = (name: string) => variables[name]?.trim() || undefined;
  const [ofMetrics, ofAll] = ["OTEL_EXPORTER_OTLP_METRICS_", "OTEL_EXPORTER_OTLP_"];
  const isOff =
    given("OTEL_SDK_DISABLED")?.toLowerCase() === "true" || given("OTEL_METRICS_EXPORTER") === "none";
  const source = [`${ofMetrics}ENDPOINT`, `${ofAll}ENDPOINT`].find((name) => given(name) !== undefined);
  if (isOff || source === undefined) return { kind: "off" };
  const protocol = given(`${ofMetrics}PROTOCOL`) ?? given(`${ofAll}PROTOCOL`);
  if (protocol === "grpc")
    return problem(`${ofAll}PROTOCOL is grpc; give the address of a receiver of OTLP/HTTP and http/json`);
  const endpoint = endpointOf(given(source) ?? "", source.startsWith(ofMetrics));
  if (endpoint === undefined) return problem(`${source} is no http or https address`);
  const [headers, ownHeaders] = [`${ofAll}HEADERS`, `${ofMetrics}HEADERS`].map((name) =>
    pairsOf(given(name)),
  );
  const attributes = pairsOf(given("OTEL_RESOURCE_ATTRIBUTES"));
  if (headers === undefined || ownHeaders === undefined)
    return problem(`${ofAll}HEADERS must be pairs like name=value with commas between them`);
  if (attributes === undefined)
    return problem("OTEL_RESOURCE_ATTRIBUTES must be pairs like name=value with commas between them");
  const said = Number(given(`${ofMetrics}TIMEOUT`) ?? given(`${ofAll}TIMEOUT`));
  return {
    kind: "on",
    settings: {
      endpoint,
      headers: { ...headers, ...ownHeaders },
      resource: {
        "service.name": serviceName,
        ...attributes,
        ...(given("OTEL_SERVICE_NAME") && { "service.name": given("OTEL_SERVICE_NAME") ?? "" }),
      },
      timeoutMs: said > 0 ? Math.min(said, longestTimeoutMs) : usualTimeoutMs,
    },
  };
}

function problem(reason: string): OtlpChoice {
  return { kind: "problem", reason };
}

/** The address of all signals gets the path of metrics; that of metrics is complete. `undefined`: it is none. */
function endpointOf(text: string, isComplete: boolean): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const address = new URL(text);
  if (address.protocol !== "http:" && address.protocol !== "https:") return undefined;
  if (!isComplete) address.pathname = `${address.pathname.replace(/\/$/, "")}/v1/metrics`;
  return address.href;
}

/** `name=value,name=value`, with values in the encoding of addresses. `undefined` where it has another form. */
function pairsOf(text = ""): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, name, value] = /^\s*([\w.!#$%&'*+^`|~/-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return undefined;
    try {
      pairs[name] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return pairs;
}
