import { homedir, tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** The user's own folder; a user without a name, as containers have, and without `HOME` gets one among temporary files. */
export function userHome(
  environment: NodeJS.ProcessEnv = process.env,
  system: System = { homedir, userInfo },
): string {
  const { HOME: home } = environment;
  return home || attempt(system.homedir) || join(tmpdir(), `fastapi-loadtest-home-${userName(system)}`);
}

/** Its number where it has no name. */
export function userName(system: System = { homedir, userInfo }): string {
  return attempt(() => system.userInfo().username) || `${process.getuid?.() ?? "user"}`;
}

/** What the system knows of its user: it throws for one without an entry. */
interface System {
  homedir(): string;
  userInfo(): { readonly username: string };
}

function attempt(ask: () => string): string {
  try {
    return ask();
  } catch {
    return "";
  }
}
