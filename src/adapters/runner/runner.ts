import { appendFile, stat } from "node:fs/promises";
import * as core from "@actions/core";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { readRunContext } from "../../forge/forges.ts";
import { type RunOfEvent, readRunEvent, reasonNotToPost } from "../../forge/posting/measured-run.ts";
import type { EventFile, RunContext, Variables } from "../../forge/run.ts";
import type { Annotation } from "../../report/forge/check-run.ts";
import { packageIndexSecrets, packageIndexVariables } from "../../repository/package-index.ts";
import { isCode, readPlainFile } from "../process/index.ts";

/** GitHub's payloads end at 25 MB, and those of pull requests are far smaller. */
const maxEventBytes = 25_000_000;

/** The workflow run around us: its facts, and the places for our results. Outside of one, nothing happens. */
export interface Runner {
  readonly context: RunContext;
  /** The other run that started ours. */
  readonly runOfEvent: RunOfEvent;
  setOutputs(outputs: Readonly<Record<string, string>>): Promise<void>;
  /** Appends to the job summary; the part that does not fit is cut off, and the text says so. */
  addSummary(markdown: string): Promise<void>;
  annotate(annotations: readonly Annotation[]): Promise<void>;
  setSecret(value: string): Promise<void>;
}

export async function openRunner(variables: Variables): Promise<Runner> {
  const event = readEvent(variables["GITHUB_EVENT_PATH"]);
  const context = readRunContext(variables, event);
  const setSecret = async (value: string) => {
    // Anywhere else the command would print the very value that it should hide.
    if (variables["GITHUB_ACTIONS"] !== "true" || value === "") return;
    core.setSecret(value);
  };
  for (const secret of packageIndexSecrets(packageIndexVariables(variables))) await setSecret(secret);
  return {
    context,
    runOfEvent: runOfEvent(context, event),
    setOutputs: async (outputs) => {
      if (!variables["GITHUB_OUTPUT"]) return; // without it the toolkit would print commands
      for (const [name, value] of Object.entries(outputs)) core.setOutput(name, value);
    },
    addSummary: async (markdown) => {
      const path = variables["GITHUB_STEP_SUMMARY"];
      if (!path) return;
      const text = fitSummary(markdown, await sizeOf(path));
      if (text === "") return;
      await appendFile(path, text).catch((error: unknown) => {
        const reason = `the job summary (GITHUB_STEP_SUMMARY) cannot be written: ${messageOf(error)}`;
        throw new EnvironmentError("write results", reason, { cause: error });
      });
    },
    annotate: async (annotations) => {
      if (variables["GITHUB_ACTIONS"] !== "true" || annotations.length === 0) return;
      for (const { path, line, title, message } of annotations)
        core.warning(message, { title, file: path, startLine: line });
    },
    setSecret,
  };
}

function runOfEvent(context: RunContext, event: EventFile): RunOfEvent {
  if (!("repository" in context)) return { kind: "none", reason: reasonNotToPost(context) };
  return readRunEvent(context.event, event, `${context.repository.owner}/${context.repository.name}`);
}

function readEvent(path: string | undefined): EventFile {
  if (!path) return { kind: "missing", reason: "there is no event file (GITHUB_EVENT_PATH is not set)" };
  const read = readPlainFile(path, { largestBytes: maxEventBytes });
  if (read.kind === "text") return read;
  return {
    kind: "missing",
    reason: `the event file ${read.kind === "missing" ? "does not exist" : read.reason}`,
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isCode(error, "ENOENT")) return 0;
    throw error;
  }
}

/** The runner drops a summary of more than 1 MiB whole, so we stay below, together with other writers' text. */
const maxBytes = 900_000;
const note =
  "\n\n*The rest is omitted, because GitHub limits the size of a job summary. The results folder contains the whole report.*\n";

/** The part of a text that still fits into a summary file of this size, cut at the end of a line. */
function fitSummary(markdown: string, bytesThere: number): string {
  const before = bytesThere === 0 ? "" : "\n"; // an earlier writer may not have ended the last line
  const text = Buffer.from(`${before}${markdown}${markdown.endsWith("\n") ? "" : "\n"}`);
  const room = maxBytes - bytesThere;
  if (text.length <= room) return text.toString();
  const end = text.lastIndexOf("\n", Math.max(room - Buffer.byteLength(note), 0));
  // A line never ends within a character, so no character is cut in two.
  return end <= before.length ? "" : `${text.toString("utf8", 0, end)}${note}`;
}
