import { type AddedFindings, withAdded } from "../diagnosis/added-findings.ts";
import { messageOf } from "../errors/errors.ts";
import { type ArmDiagnosis, armDiagnosis } from "../model/findings/diagnosis.ts";
import type { Measurement } from "../model/measurement/measurement.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { locateIn } from "./explained.ts";
import type { Prepared } from "./prepared.ts";

/**
 * Adds what a look of its own at both arms tells of the head. A failure costs only that, and is told.
 *
 * @param lines what is looked for, e.g. `the lines that keep memory`
 * @param look returns the findings, or why there are none
 * @returns `undefined` when the user cancelled
 */
export async function tellLines(
  lines: string,
  look: () => Promise<AddedFindings | string>,
  diagnosis: Measurement["diagnosis"],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Measurement["diagnosis"]> {
  ports.progress({ kind: "step", text: `looking for ${lines}` });
  await Promise.allSettled(prepared.leaving);
  const looked = await look().catch(messageOf);
  const told = typeof looked === "string" ? { findings: [], unexplained: [`${lines}: ${looked}`] } : looked;
  if (ports.signal.aborted) return undefined;
  const located = await locateIn(armDiagnosis(told.findings, []), prepared, ports);
  const head: ArmDiagnosis = diagnosis?.head ?? { findings: [], unseen: [] };
  return { ...diagnosis, head: withAdded(head, { ...told, findings: located.findings ?? [] }) };
}
