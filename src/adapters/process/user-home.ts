import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** The user's own folder; a user without a name, as containers have, and without `HOME` gets one among temporary files. */
export function userHome(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["HOME"] || attempt(homedir) || join(tmpdir(), `fastapi-loadtest-home-${userName()}`);
}

/** Its number where it has no name. */
export function userName(): string {
  return attempt(() => userInfo().username) || `${process.getuid?.() ?? "user"}`;
}

function attempt(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
