/** act takes an expression in `max-parallel` for 1: what it comes to, when jobs of a matrix must run side by side. */
export function withJobsAtOnce(workflow: string, count: number): string {
  return workflow.replaceAll(/^( +max-parallel: )\$\{\{.*\}\}/gm, (_, before: string) => `${before}${count}`);
}

/**
 * A workflow of ours as act can run it. act does not know `$/`, which GitHub takes for the repository and commit of the
 * workflow itself; nothing else is changed.
 */
export function withoutSelfReference(workflow: string, action: string): string {
  return workflow.replaceAll(/^( +(?:- )?uses: )\$\/$/gm, (_, before: string) => `${before}${action}`);
}
