export type FormulaOperator = "+" | "-" | "*" | "/";

/** Arithmetic of numbers and names, as in `VUs + 40*W*hold_s/S` or `max(0, 1 - 120*W/VUs)`. */
export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "operation";
      readonly operator: FormulaOperator;
      readonly left: Formula;
      readonly right: Formula;
    }
  | { readonly kind: "choice"; readonly choose: "min" | "max"; readonly among: readonly Formula[] };

/** The claim in a name such as `D01 ratio`. */
export function claimInName(name: string): string | undefined {
  return name.endsWith(" ratio") ? name.slice(0, -" ratio".length) : undefined;
}

/** The names in a formula, each once. */
export function namesIn(formula: Formula): readonly string[] {
  switch (formula.kind) {
    case "number":
      return [];
    case "name":
      return [formula.name];
    case "operation":
      return [...new Set([...namesIn(formula.left), ...namesIn(formula.right)])];
    case "choice":
      return [...new Set(formula.among.flatMap(namesIn))];
  }
}

/** The value of a formula, in the unit of its names; `NaN` when a name has no value. */
export function evaluateFormula(formula: Formula, values: ReadonlyMap<string, number>): number {
  switch (formula.kind) {
    case "number":
      return formula.value;
    case "name":
      return values.get(formula.name) ?? Number.NaN;
    case "operation":
      return calculate[formula.operator](
        evaluateFormula(formula.left, values),
        evaluateFormula(formula.right, values),
      );
    case "choice":
      return Math[formula.choose](...formula.among.map((each) => evaluateFormula(each, values)));
  }
}

const calculate: Readonly<Record<FormulaOperator, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};
