import { relative } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ServerCommand } from "../../ports/app.ts";
import { overruledAddress } from "../../repository/overruled-address.ts";
import { redact } from "../../text/redact.ts";
import { exceptionIn, tellingLine } from "../../text/telling-line.ts";
import { type RunningProcess, readTail } from "../process/index.ts";
import { environmentIn, logsSince } from "./nearby-files.ts";

/** The traceback of a deep stack, and what a server writes after it. */
const readBytes = 64_000;

/** The failure of a start in the app's own words: "code 3" shows nobody how to fix it. */
export async function withReason(
  error: EnvironmentError,
  { folder, variables }: Pick<ServerCommand, "folder" | "variables">,
  log: Pick<RunningProcess, "tail">,
  begunMs: number,
): Promise<EnvironmentError> {
  const own = redact(log.tail(readBytes), variables);
  const elsewhere = exceptionIn(own) === undefined ? await otherLog(folder, variables, begunMs) : undefined;
  const line = elsewhere?.line ?? (error.detail?.kind === "exit" ? tellingLine(own) : exceptionIn(own));
  const where = elsewhere === undefined ? "" : `, in ${elsewhere.name}`;
  const hint =
    line === undefined ? undefined : overruledAddress(line, variables, await environmentIn(folder));
  const reason = [line === undefined ? undefined : `${line}${where}`, hint].filter((each) => each).join("; ");
  return new EnvironmentError(error.phase, reason === "" ? error.message : `${reason} (${error.message})`, {
    logTail: elsewhere?.text ?? redact(log.tail(), variables),
    cause: error.cause,
    ...defined({ detail: error.detail }),
  });
}

/** A log of the app's own, where its logging is configured to go: the first that has an exception. */
async function otherLog(folder: string, variables: ServerCommand["variables"], begunMs: number) {
  for (const path of await logsSince(folder, begunMs)) {
    const text = redact(await readTail(path, readBytes), variables);
    const line = exceptionIn(text);
    if (line !== undefined) return { name: relative(folder, path), line, text: text.slice(-4_000) };
  }
  return undefined;
}
