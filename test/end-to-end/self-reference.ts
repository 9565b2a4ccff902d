/**
 * A workflow of ours as act can run it. act does not know `$/`, which GitHub takes for the repository and commit of the
 * workflow itself; nothing else is changed.
 */
export function withoutSelfReference(workflow: string, action: string): string {
  return workflow.replaceAll(/^( +(?:- )?uses: )\$\/$/gm, (_, before: string) => `${before}${action}`);
}
