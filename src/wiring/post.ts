import type { PostPorts } from "../ports/post.ts";
import type { Shared } from "./shared.ts";

/** Ports of `post`. Loads the code for forges. */
export async function postPorts({ environment, runner, terminal, signal }: Shared): Promise<PostPorts> {
  const { openPosting } = await import("../adapters/forge/index.ts");
  return {
    progress: terminal.progress,
    addSummary: runner.addSummary,
    setOutputs: runner.setOutputs,
    posting: openPosting(runner.context, runner.runOfEvent, environment, { signal }),
  };
}
