import { existsSync } from "node:fs";
import { resolve } from "node:path";

import type { ServerCommand } from "../../ports/app.ts";
import { overruledIn, withConfiguration } from "../../repository/gunicorn.ts";
import { printable } from "../../text/printable.ts";
import { pythonTool, textOfPlainFile } from "../process/index.ts";

/**
 * A command of gunicorn whose configuration file cannot take the server away: what it does to that is overruled, which
 * is reported. Any other command as it is.
 */
export function withGunicornSettings(command: ServerCommand, warn: (text: string) => void): ServerCommand {
  const { argv, folder, variables } = command;
  const settled = withConfiguration(argv, pythonTool("gunicorn_settings"), variables["GUNICORN_CMD_ARGS"]);
  if (settled === undefined) return command;
  const { configuration } = settled;
  const path = resolve(folder, configuration.replace(/^file:/, ""));
  const isModule = configuration.startsWith("python:");
  if (!isModule && !existsSync(path)) return command; // none, or one that gunicorn says it misses
  const text = textOfPlainFile(path, { largestBytes: 1_000_000 }) ?? "";
  const overruled = isModule ? [] : overruledIn(text, argv);
  if (overruled.length > 0)
    warn(
      printable(
        `${configuration}: ${overruled.join(", ")} would end or hide the server, or are set here, so the measurement overrules them`,
      ),
    );
  return {
    ...command,
    argv: settled.argv,
    variables: { ...variables, LOADTEST_GUNICORN_CONFIG: configuration },
  };
}
