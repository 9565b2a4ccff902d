import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

/** Takes variables from a pipe, each ended by a zero: every process of this user can read an environment. */
export function takeHandedVariables(environment: NodeJS.ProcessEnv): void {
  const { LOADTEST_HANDED: handed } = environment;
  delete environment["LOADTEST_HANDED"];
  if (handed !== "3") return;
  const text = readFileSync(3, "utf8");
  closeSync(3);
  for (const each of text.split("\0")) {
    const end = each.indexOf("=");
    if (end > 0) environment[each.slice(0, end)] = each.slice(end + 1);
  }
}

/** No link that the app has put there, and no pipe that nobody reads. */
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Takes a word that only this process knows, out of everybody's reach. The function writes it as the output `ended`: then
 * the next step knows that what the app left was taken back, and that nobody killed this process before.
 */
export function endTeller(environment: NodeJS.ProcessEnv): () => void {
  const { LOADTEST_END: mark, GITHUB_OUTPUT: path } = environment;
  delete environment["LOADTEST_END"];
  return () => {
    if (!mark || !path) return;
    try {
      const file = openSync(path, appending);
      writeSync(file, `ended=${mark}\n`);
      closeSync(file);
    } catch {
      // The next step takes it for killed, which is the safe side.
    }
  };
}
