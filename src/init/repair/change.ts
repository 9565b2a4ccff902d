import { type AppFailure, appVariablesIn, type FoundSetting, type Project } from "../project.ts";

/** A project with one thing changed, so that its app may start. */
export interface Repair {
  readonly project: Project;
  /** The change, as a sentence. */
  readonly message: string;
  /** Where the failure does not name the change: what to go on from if the next failure is the same. */
  readonly otherwise?: Project;
}

/** A change for a failure of one kind; `undefined` for all others. */
export type RepairRule = (project: Project, failure: AppFailure) => Repair | undefined;

export function settingOf({ findings }: Project, wanted: string): FoundSetting | undefined {
  return findings.find(({ key }) => key === wanted);
}

/** The project with a setting in place of the one of that key, if there is one. */
export function withSetting(project: Project, setting: FoundSetting): Project {
  return { ...project, findings: [...without(project, setting.key).findings, setting] };
}

export function without(project: Project, unwanted: string): Project {
  return { ...project, findings: project.findings.filter(({ key }) => key !== unwanted) };
}

/** Names of the app's variables with their values. */
export function variablesOf(project: Project): Readonly<Record<string, string>> {
  const value: unknown = settingOf(project, "app-env")?.value;
  return Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, String(each)]));
}

/** Adds variables to those of the app, or puts other values in their place. */
export function withVariables(project: Project, added: Readonly<Record<string, string>>): Project {
  const before = settingOf(project, "app-env");
  const reason = before?.reason ?? "the app did not start without them; change invented values";
  return withSetting(project, { key: "app-env", value: { ...variablesOf(project), ...added }, reason });
}

/** Names of all variables that have a value. */
export function namesIn({ findings }: Project): ReadonlySet<string> {
  const own = findings.flatMap(({ key, value }) => {
    if (key === "database-variable") return [String(value)];
    if (key === "services" || key === "stubs") return appVariablesIn({ value });
    return key === "app-env" || key === "database-env" ? Object.keys(Object(value)) : [];
  });
  return new Set(own);
}
