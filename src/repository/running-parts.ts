import { servers } from "../model/workload/servers.ts";

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
