import { servers } from "../model/workload/servers.ts";

/** The web frameworks whose apps are recognised; a new one is a row. */
export const frameworks = [
  { name: "FastAPI", distribution: "fastapi", isDescribed: true },
  { name: "Starlette", distribution: "starlette", isDescribed: false },
  { name: "Litestar", distribution: "litestar", isDescribed: false },
  { name: "Quart", distribution: "quart", isDescribed: false },
  { name: "Flask", distribution: "flask", isDescribed: false },
  { name: "Django", distribution: "django", isDescribed: false },
] as const;

/** Distributions of which a web app requires one: without any, a list of requirements is not the app's whole. */
export const frameworkPackages: readonly string[] = frameworks.map(({ distribution }) => distribution);

/** Classes of apps, as a pattern. Django's app is made by a function of its own. */
export const appClasses = frameworks
  .map(({ name }) => name)
  .filter((name) => name !== "Django")
  .join("|");

/** False for a framework whose apps have no OpenAPI document where FastAPI's have theirs. */
export function isDescribed(framework: string): boolean {
  return frameworks.find(({ name }) => name === framework)?.isDescribed ?? true;
}

const distributions = servers.flatMap(({ needs: [own], isLauncher }) => (isLauncher ? [] : [own]));
const drivers = ["psycopg", "psycopg2", "psycopg2-binary", "psycopg-binary", "asyncpg", "pg8000"];
const notForRunning = /test|dev|doc|lint|type|format|^all$|bench|example/i;

/** Groups or extras with a server or driver that the project's own requirements (`always`) lack. */
export function runningParts(
  always: readonly string[],
  parts: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const own = new Set(always.map(nameOf));
  const hasDriver = drivers.some((name) => own.has(name));
  const lacking = [...distributions.filter((name) => !own.has(name)), ...(hasDriver ? [] : drivers)];
  return Object.entries(parts)
    .filter(([name]) => !notForRunning.test(name))
    .filter(([, requirements]) => requirements.some((each) => lacking.includes(nameOf(each))))
    .map(([name]) => name);
}

/** A requirement's distribution, in one spelling. */
function nameOf(requirement: string): string {
  const [name = ""] = /^[\w.-]*/.exec(requirement.trim()) ?? [];
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
