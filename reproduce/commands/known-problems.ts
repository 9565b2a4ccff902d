import { groupBy } from "../../src/lists/group.ts";
import { openFilesProblem } from "../../src/model/measurement/open-files.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import { caseProblem, type ReadyCase } from "./cases.ts";

/**
 * What will keep cases from being measured, as far as that can be told before any of them is: no k6, too small a disk, too
 * few open files. Each problem is a sentence with the ids of its cases; others may still come up.
 */
export async function knownProblems(
  ready: readonly ReadyCase[],
  ports: Pick<MeasurePorts, "findGenerator" | "diskProblem" | "openFilesLimit">,
): Promise<readonly string[]> {
  const generator = await problemIn(async () => {
    await ports.findGenerator();
    return undefined;
  });
  const found: { readonly id: string; readonly problem: string }[] = [];
  for (const { of, workload } of ready) {
    const disk = await problemIn(() => ports.diskProblem(workload.database, 1));
    const problems = [generator, disk, openFilesProblem(workload.load, ports.openFilesLimit)];
    found.push(...problems.flatMap((problem) => (problem === undefined ? [] : [{ id: of.id, problem }])));
  }
  return [...groupBy(found, ({ problem }) => problem)].map(
    ([problem, cases]) => `${problem} (${cases.map(({ id }) => id).join(", ")})`,
  );
}

/** What `look` says is wrong, in its answer or by an error. */
async function problemIn(look: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await look();
  } catch (error) {
    return caseProblem(error);
  }
}
