import packageJson from "../package.json" with { type: "json" };
import { announce } from "./commands/announce.ts";
import { parseArguments } from "./commands/arguments.ts";
import { helpText } from "./commands/help.ts";
import { measure } from "./commands/measure.ts";
import { plan, planRequest } from "./commands/plan.ts";
import { post } from "./commands/post.ts";
import { report } from "./commands/report.ts";
import { refuseOptions, refuseTokens } from "./commands/request.ts";
import { run } from "./commands/run.ts";
import { exitStatus, messageOf } from "./errors/errors.ts";
import { printableLines } from "./text/visible.ts";
import { announcePorts, postPorts } from "./wiring/announce.ts";
import { runPorts } from "./wiring/run.ts";
import { runProgram, withShared } from "./wiring/shared.ts";

const withInputs = { plan, measure, report, run };
const workstation = () => import("./workstation.ts");

/** Runs one command line and returns its exit status. */
async function main(argv: readonly string[]): Promise<number> {
  const wanted = parseArguments(argv, process.env);
  switch (wanted.kind) {
    case "help":
      process.stdout.write(helpText(wanted.of));
      return exitStatus.fine;
    case "version":
      process.stdout.write(`${packageJson.version}\n`);
      return exitStatus.fine;
    case "announce": // a failure here must not keep anything from being measured; the report comes in any case
      return await withShared(process.env, async (shared) => {
        await announce(wanted, announcePorts(shared));
        return exitStatus.fine;
      }).catch((error: unknown) => {
        process.stderr.write(`no announcement: ${printableLines(messageOf(error))}\n`);
        return exitStatus.fine;
      });
    case "post": // nothing was measured here, so no check can fail: it is the other run's
      return await withShared(process.env, async (shared) => {
        await post(wanted, postPorts(shared));
        return exitStatus.fine;
      });
    case "trends": // a change in the history fails no check: only a comparison side by side does
      return await withShared(process.env, async (shared) => {
        const { trends, trendsPorts } = await workstation();
        await trends(wanted, trendsPorts(wanted, shared));
        return exitStatus.fine;
      });
    case "check":
      return await withShared(process.env, async (shared) => {
        const { check, checkPorts } = await workstation();
        return await check(wanted, checkPorts(wanted, shared));
      });
    case "init":
      refuseTokens(process.env); // the app's code runs
      return await withShared(process.env, async (shared) => {
        const { init, initPorts } = await workstation();
        const planned = await init(wanted, initPorts(shared));
        return planned === undefined ? exitStatus.fine : await planRequest(planned, runPorts(shared));
      });
    case "explain":
      return await withShared(
        process.env,
        async (shared) => {
          const { explain, explainPorts } = await workstation();
          await explain(wanted, explainPorts(wanted, shared));
          return exitStatus.fine;
        },
        process.stderr,
      );
    case "bisect":
      return await withShared(process.env, async (shared) => {
        const { bisect, bisectPorts } = await workstation();
        const ports = bisectPorts(shared);
        await refuseOptions(wanted, ports.request);
        return await bisect(wanted, ports);
      });
    case "again":
    case "run": {
      const { isJson = false } = wanted;
      return await withShared(
        process.env,
        async (shared) => {
          const ports = runPorts(shared);
          await refuseOptions(wanted, ports.request);
          if (wanted.kind === "run") return await withInputs[wanted.verb](wanted.raw, ports, { isJson });
          const { again } = await workstation();
          return await again(wanted, ports);
        },
        isJson ? process.stderr : process.stdout,
      );
    }
  }
}

await runProgram(main);
