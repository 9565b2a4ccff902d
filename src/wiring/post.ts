import { openPosting } from "../adapters/forge/index.ts";
import type { PostPorts } from "../ports/post.ts";
import type { Shared } from "./shared.ts";

/** Ports of `post`. */
export function postPorts({ environment, runner, terminal, signal }: Shared): PostPorts {
  return {
    progress: terminal.progress,
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
    posting: openPosting(runner.context, runner.runOfEvent, environment, { signal }),
  };
}
