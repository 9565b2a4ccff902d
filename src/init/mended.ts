import type { Project } from "./project.ts";
import type { FoundSetting } from "./source-file.ts";

/** A project with one thing changed, so that its app may start. */
export interface Mended {
  readonly project: Project;
  /** The change, as a sentence. */
  readonly told: string;
  /** Where the failure does not name the change: what to go on from if the next failure is the same. */
  readonly otherwise?: Project;
}

/** Adds variables to those of the app, or puts other values in their place. */
export function withVariables(project: Project, added: Readonly<Record<string, string>>): Project {
  const before = project.findings.find(({ key }) => key === "app-env");
  const finding: FoundSetting = {
    key: "app-env",
    reason: before?.reason ?? "the app did not start without them; change what is made up",
    value: {
      ...Object.fromEntries(
        Object.entries(Object(before?.value)).map(([name, value]) => [name, String(value)]),
      ),
      ...added,
    },
  };
  return { ...project, findings: [...project.findings.filter((each) => each !== before), finding] };
}
