import { groupBy, type MeasurePorts, openFilesProblem } from "../../src/engine.ts";
import { caseProblem, type ReadyCase } from "./cases.ts";

/**
 * Problems that will keep cases from being measured, as far as they are known beforehand: no k6, too small a disk, too
 * few open files. Each is a sentence with the ids of its cases. Others may still come up.
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

/** The problem that `look` returns or throws. */
async function problemIn(look: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await look();
  } catch (error) {
    return caseProblem(error);
  }
}
