import type { Interval } from "../../src/engine.ts";
import type { Bound } from "../documents/checks.ts";
import { claimInName, evaluateFormula, namesIn } from "../formula/formula.ts";
import { parseFormula } from "../formula/formula-parser.ts";
import type { Known, Sides } from "./sides.ts";

/** Names that the formulas of one claim may use. */
export interface Scope {
  readonly sides: Sides;
  /** The measured ratio of another claim. */
  readonly ratioOf: (claimId: string) => Known;
  /** Its 95% interval, when known. */
  readonly ratioIntervalOf: (claimId: string) => Interval | undefined;
}

/**
 * The value of a bound. Names are parameters of the left side's case (`VUs`), of either side's (`right.VUs`), or
 * another claim's ratio (`D01 ratio`).
 */
export function boundValue(bound: Bound, scope: Scope): Known {
  if (typeof bound === "number") return bound;
  const formula = parseFormula(bound);
  const parameters = parametersIn(scope.sides);
  const values = new Map<string, number>();
  for (const name of namesIn(formula)) {
    const value = namedValue(name, parameters, scope);
    if (typeof value !== "number") return { missing: `\`${bound}\` cannot be computed: ${value.missing}` };
    values.set(name, value);
  }
  const value = evaluateFormula(formula, values);
  return Number.isFinite(value) ? value : { missing: `\`${bound}\` cannot be computed: it divides by 0` };
}

function namedValue(name: string, parameters: ReadonlyMap<string, number>, { ratioOf }: Scope): Known {
  const claimId = claimInName(name);
  if (claimId === undefined) return parameters.get(name) ?? { missing: `${name} is not known` };
  const ratio = ratioOf(claimId);
  return typeof ratio === "number" ? ratio : { missing: `${name}: ${ratio.missing}` };
}

function parametersIn({ cases: { left, right } }: Sides): ReadonlyMap<string, number> {
  const ofLeft = Object.entries(left?.parameters ?? {});
  const ofRight = Object.entries(right?.parameters ?? {});
  return new Map([
    ...ofLeft,
    ...ofLeft.map(([name, value]) => [`left.${name}`, value] as const),
    ...ofRight.map(([name, value]) => [`right.${name}`, value] as const),
  ]);
}
