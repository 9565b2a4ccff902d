import * as z from "zod";
import type { Companion } from "../../model/workload/service.ts";
import { command } from "./service-forms.ts";
import { strictObject } from "./strict-object.ts";
import { text, variables } from "./value-kinds.ts";

/** Form of the processes beside an app's server, in the configuration file. */

const example = "celery -A app.worker worker";
const line = command(example, []);

const shape = {
  command: line,
  env: variables.optional(),
  "ready-text": text("ready").min(1, "is empty").optional(),
};
const name = z.string().regex(/^[\w-]{1,40}$/, "must be 1 to 40 letters, digits, dashes");

export const processesSchema = z.record(
  name,
  z.union([line, strictObject(shape)], `must be a command, e.g. ${example}, or a mapping with one`),
  { error: `must be a mapping of commands, e.g. { worker: ${example} }` },
);

export function readProcesses(value: z.infer<typeof processesSchema>): readonly Companion[] {
  return Object.entries(value).map(([called, said]) => {
    if (typeof said === "string") return { name: called, command: said, variables: {} };
    const given = Object.entries(said.env ?? {}).map(([key, each]) => [key, String(each)]);
    const readyText = said["ready-text"];
    return {
      name: called,
      command: said.command,
      variables: Object.fromEntries(given),
      ...(readyText !== undefined && { readyText }),
    };
  });
}
