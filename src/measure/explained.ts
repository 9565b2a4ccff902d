import { withFunctions } from "../diagnosis/functions/function-findings.ts";
import { littleCpu } from "../diagnosis/functions/little-cpu.ts";
import { filesOf, locate } from "../diagnosis/located-findings.ts";
import { messageOf } from "../errors/errors.ts";
import { type ArmDiagnosis, armDiagnosis } from "../model/findings/diagnosis.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { cellName } from "../report/progress/result-line.ts";
import { measuredCpu } from "./change-facts.ts";
import { compareFunctions } from "./compared-functions.ts";
import type { Prepared } from "./prepared.ts";
import { lookAtCpu } from "./request-cpu.ts";

/** Adds the functions that made the head slower or faster; `undefined` when the user cancelled. */
export async function explain(
  measurement: Measurement,
  diagnosis: NonNullable<Measurement["diagnosis"]>,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  const { head } = diagnosis;
  if (head === undefined) return diagnosis;
  const measured = measuredCpu(measurement);
  const little = measured && littleCpu(measurement, measured, prepared.workload.comparing.smallestEffect);
  if (little !== undefined) {
    const hasProblem = head.findings?.some(({ severity }) => severity === "problem") === true;
    const unseen = hasProblem ? head.unseen : [...head.unseen, little];
    return { ...diagnosis, head: { ...head, unseen } };
  }
  ports.progress({ kind: "step", text: `comparing the functions of ${cellName(measurement.cell)}` });
  await Promise.allSettled(prepared.leaving);
  const told = await compareFunctions(measurement, prepared, ports);
  if (ports.signal.aborted) return undefined;
  return { ...diagnosis, head: { ...withFunctions(head, told), ...(told.flame && { flame: told.flame }) } };
}

/** Adds where the CPU time of a request goes, where there is no base to compare with. A failure costs only that, and is told. */
export async function tellCpu(
  { cell }: Measurement,
  diagnosis: NonNullable<Measurement["diagnosis"]>,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  const { base, head } = diagnosis;
  if (base !== undefined || head?.findings === undefined) return diagnosis;
  ports.progress({ kind: "step", text: `looking where the CPU time of ${cellName(cell)} goes` });
  await Promise.allSettled(prepared.leaving);
  const found = await lookAtCpu(cell, prepared, ports).catch(messageOf);
  if (ports.signal.aborted) return undefined;
  if (typeof found === "string") {
    const unseen = [...head.unseen, `where its CPU time goes: ${found}`];
    return { head: armDiagnosis(head.findings, unseen, head.seen) };
  }
  if (found === undefined) return diagnosis;
  const { finding, flame } = found;
  const told = await locateIn(armDiagnosis(finding === undefined ? [] : [finding], []), prepared, ports);
  const findings = [...head.findings, ...(told.findings ?? [])];
  return { head: { ...head, findings, ...(flame && { flame }) } };
}

/** Adds to each of the head's findings its path in the repository, and whether the diff from the base has its line. */
export async function locateIn(
  diagnosis: ArmDiagnosis,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<ArmDiagnosis> {
  const { app, comparing } = prepared.workload;
  const base = comparing.base.kind === "control" ? undefined : prepared.commits.base;
  const found = await Promise.all(
    filesOf(diagnosis).map(async (file) => {
      // Git may be missing, or broken by the app: the finding then has no path.
      const known = await ports.lookUpFile(app.folder, file, base).catch(() => undefined);
      return [file, known] as const;
    }),
  );
  return locate(diagnosis, new Map(found));
}
