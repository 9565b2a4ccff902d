import { printable } from "../../src/engine.ts";
import { isUnexpected, type Judgement } from "../judgement/claim-judgement.ts";
import { outcomes } from "../judgement/claim-outcome.ts";
import { claimRow } from "./claim-row.ts";

const outcomeWidth = Math.max(...outcomes.map((outcome) => outcome.length));

/** The claims for a terminal, two lines each: the outcome, then the reason. Unexpected outcomes are marked. */
export function claimLines(judgements: readonly Judgement[]): string {
  return judgements.flatMap((judgement) => linesOf(judgement)).join("\n");
}

function linesOf(judgement: Judgement): string[] {
  const { id, text, published, measured, predicted, outcome, isExpected, reason } = claimRow(judgement);
  const mark = isUnexpected({ isExpected, outcome }) ? "!" : " ";
  const figures = `published ${published}, measured ${measured}, predicted ${predicted}`;
  return [
    `${mark} ${id}  ${outcome.padEnd(outcomeWidth)}  ${printable(text)}`,
    `        ${printable(figures)}: ${printable(reason)}`,
  ];
}
