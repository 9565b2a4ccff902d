import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { ServerCommand } from "../../ports/app.ts";
import { overruledIn, settledCommand } from "../../repository/server-settings.ts";
import { printable } from "../../text/printable.ts";
import { pythonTool, textOfPlainFile } from "../process/index.ts";

/** A command whose configuration file cannot take the server away; what that sets is reported. */
export function withOurSettings(command: ServerCommand, warn: (text: string) => void): ServerCommand {
  const { argv, folder, variables } = command;
  const settled = settledCommand(argv, variables);
  if (settled === undefined) return command;
  const { configuration, settings } = settled;
  const path = resolve(folder, configuration.replace(/^file:/, ""));
  const isModule = configuration.startsWith("python:");
  if (!isModule && !existsSync(path)) return command; // none, or one that the server says it misses
  const text = isModule ? "" : (textOfPlainFile(path, { largestBytes: 1_000_000 }) ?? "");
  const overruled = overruledIn(text, argv, settings).join(", ");
  const why = "would end or hide the server, or are set here, so the measurement overrules them";
  if (overruled !== "") warn(printable(`${configuration}: ${overruled} ${why}`));
  return {
    ...command,
    argv: settled.argvWith(pythonTool(settings.program)),
    variables: { ...variables, LOADTEST_SERVER_CONFIG: configuration },
  };
}
