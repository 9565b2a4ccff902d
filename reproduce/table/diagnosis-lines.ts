import { printable, sentenceOf, textOf } from "../../src/engine.ts";
import type { DiagnosedCase } from "../page/report-page-input.ts";

/** Findings of diagnosis for a terminal: a line for each finding, and for each blind spot. */
export function diagnosisLines(diagnosed: readonly DiagnosedCase[]): string {
  return diagnosed.flatMap(linesOf).join("\n");
}

function linesOf({ id, diagnosis: { findings, unseen } }: DiagnosedCase): string[] {
  return [
    ...(findings ?? []).map(
      (finding) => `${finding.cause}: ${textOf(sentenceOf(finding)).replaceAll("`", "")}.`,
    ),
    ...(findings?.length === 0 ? ["no known cause"] : []),
    ...unseen.map((reason) => `not seen: ${reason}`),
  ].map((text) => `  Why ${printable(id)}: ${printable(text)}`);
}
