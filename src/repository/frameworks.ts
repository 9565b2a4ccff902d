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
const otherDrivers = ["aiosqlite", "pymysql", "aiomysql", "asyncmy", "mysqlclient"];
const mappers = ["sqlalchemy", "sqlmodel", "tortoise-orm", "databases"];
const notForRunning = /test|dev|doc|lint|type|format|^all$|bench|example/i;

/**
 * Groups or extras with a server or driver that the project's own requirements (`always`) lack; those for development only
 * where the project cannot reach any database without them.
 */
export function runningParts(
  always: readonly string[],
  parts: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const own = new Set(always.map(nameOf));
  const hasDriver = drivers.some((name) => own.has(name));
  const lacking = [...distributions.filter((name) => !own.has(name)), ...(hasDriver ? [] : drivers)];
  const withAny = (wanted: readonly string[]) =>
    Object.entries(parts).flatMap(([name, requirements]) =>
      requirements.some((each) => wanted.includes(nameOf(each))) ? [name] : [],
    );
  const running = withAny(lacking).filter((name) => !notForRunning.test(name));
  const all = [...drivers, ...otherDrivers];
  const isWithout = mappers.some((name) => own.has(name)) && !all.some((name) => own.has(name));
  return running.length > 0 || !isWithout ? running : withAny(all).slice(0, 1);
}

/** A requirement's distribution, in one spelling. */
function nameOf(requirement: string): string {
  const [name = ""] = /^[\w.-]*/.exec(requirement.trim()) ?? [];
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
