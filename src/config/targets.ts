import type { Login } from "../model/endpoint/login.ts";
import type { Targets, Workload } from "../model/workload/workload.ts";
import type { Inputs, RawInputs } from "./inputs.ts";

/** Limits for the load on somebody's running app, unless its caller sets `target-cap: false`. */
export const cap = {
  virtualUsers: 10,
  requestsPerSecond: 50,
  requests: 1_000,
  seconds: 60,
  minutes: 2,
} as const;

/** Reads addresses of running apps, and their problems. Each host is named twice, so that none is hit by error. */
export function readTargets(texts: RawInputs): {
  readonly targets: Targets | undefined;
  readonly problems: readonly string[];
} {
  const { "base-url": first, "head-url": second, "allow-target": allowed } = texts;
  if (first === undefined) {
    const useless = ["head-url", "allow-target"].filter((name) => texts[name] !== undefined);
    return { targets: undefined, problems: useless.map((name) => `${name}: needs base-url`) };
  }
  const hosts = (allowed ?? "").split(/[\s,]+/).filter((host) => host !== "");
  const problems = [
    ...problemsOf("base-url", first, hosts),
    ...(second === undefined ? [] : problemsOf("head-url", second, hosts)),
    ...(texts["control"] === "true" ? ["control: cannot be combined with base-url"] : []),
  ];
  if (second !== undefined) {
    for (const name of ["stages", "requests", "rate"]) {
      if (texts[name] !== undefined)
        problems.push(`${name}: cannot be used in a comparison; use vus, or remove head-url`);
    }
  }
  const [base, head] = [first, second].map((url) => url && plainAddress(url));
  return {
    targets: second === undefined ? { head: base ?? "", base: undefined } : { head: head ?? "", base },
    problems,
  };
}

/** The address as it was checked: `?` at its end, or capitals in its scheme, would be read otherwise. */
function plainAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname } = new URL(text);
  return (origin + pathname).replace(/\/+$/, "");
}

function problemsOf(name: string, text: string, hosts: readonly string[]): string[] {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (!isPlain)
    return [`${name}: must be an address without user, query or fragment, e.g. https://staging.example.com`];
  if (hosts.includes(url.host)) return [];
  return [
    `${name}: is at ${url.host}, which is not in allow-target; load is sent only to a host that is named twice, so add allow-target: ${url.host}`,
  ];
}

/** Parts of a load that exceed what a running app should get without its consent. One sentence each. */
export function problemsOfCap(parsed: Inputs, { base }: Targets, isMinutesGiven: boolean): string[] {
  if (!parsed["target-cap"]) return [];
  const { vus, rate = 0, requests = 0, stages = [], duration, warmup } = parsed;
  const minutes = base === undefined ? 0 : minutesOf(parsed["max-minutes"], isMinutesGiven);
  const too = (name: string, got: number, most: number, unit: string) =>
    got <= most
      ? []
      : [
          `${name}: must be at most ${most}${unit} for a running app (got ${got}), unless target-cap is false`,
        ];
  const staged = stages.reduce((total, stage) => total + stage.durationSeconds, 0);
  return [
    ...too("vus", Math.max(vus, ...stages.map((stage) => stage.virtualUsers)), cap.virtualUsers, ""),
    ...too("rate", rate, cap.requestsPerSecond, " req/s"),
    ...too("requests", requests, cap.requests, ""),
    ...too("duration", stages.length > 0 ? staged : duration, cap.seconds, " s"),
    ...too("warmup", warmup, cap.seconds, " s"),
    ...too("max-minutes", minutes, cap.minutes, " minutes"),
  ];
}

/** Minutes of a comparison. The usual ones are far more than somebody else's app should bear. */
function minutesOf(minutes: number, isGiven: boolean): number {
  return isGiven ? minutes : Math.min(cap.minutes, minutes);
}

/** Ways to log in that need the app's environment, or a database of ours. */
export function problemsOfLogin(login: Login | undefined): readonly string[] {
  const source = login?.usersFrom?.kind;
  return [
    ...(login?.command === undefined
      ? []
      : [
          "login: command cannot be combined with base-url, because it needs the app's environment; set `headers`, or a `path` to log in at",
        ]),
    ...(source === "sql" || source === "command"
      ? [
          `login: users: ${source} cannot be combined with base-url, because it needs the app's environment or database; list the users, or name a CSV file ({ csv: users.csv })`,
        ]
      : []),
  ];
}

/** The workload when nothing is started: one row for each endpoint, and no look inside. */
export function ofRunningApp(workload: Workload, { head, base }: Targets, isMinutesGiven: boolean): Workload {
  const { comparing } = workload;
  return {
    ...workload,
    server: { template: head, readyPath: "/", readyWithinSeconds: 0, port: undefined },
    database: { kind: "none" },
    workerCounts: [1],
    comparing: {
      ...comparing,
      base: { kind: base === undefined ? "none" : "url" },
      maxMinutes: minutesOf(comparing.maxMinutes, isMinutesGiven),
      onlyAffected: false,
    },
    separateCpus: false,
    sameAddressLayout: false,
    diagnose: "never",
  };
}
