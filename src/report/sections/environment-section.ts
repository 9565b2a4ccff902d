import type { Row } from "../../compare/comparison.ts";
import { plural } from "../../text/numbers.ts";
import { data, line, sentence } from "../document/inline.ts";
import type { Fact, ReportedEnvironment } from "../document/report.ts";
import {
  factsOf,
  type PackageDifference,
  packageDifferencesOf,
  packageFactsOf,
  type RecordedFact,
} from "../facts/environment.ts";

/** Machine and software of the measurement; `undefined` when no cell recorded them. */
export function environmentSection(rows: readonly Row[]): ReportedEnvironment | undefined {
  const facts = factsOf(rows);
  if (facts.length === 0) return undefined;
  const packages = packageFactsOf(rows);
  const differences = packageDifferencesOf(rows);
  return {
    facts: facts.map(factOf),
    packages: packages.map(factOf),
    packagesTitle: plural(packages.length, "Python package"),
    differences: differences.length === 0 ? undefined : differencesOf(differences),
  };
}

function factOf({ name: what, values }: RecordedFact): Fact {
  return {
    name: sentence(what),
    values: values.map(({ text, cells }) =>
      line(data(text), values.length > 1 ? ` (${plural(cells, "cell")})` : ""),
    ),
  };
}

/** A changed dependency explains what no line of the diff does. */
function differencesOf(differences: readonly PackageDifference[]): ReportedEnvironment["differences"] {
  const version = (text: string) => line(text === "" ? "–" : data(text));
  return {
    title: `${plural(differences.length, "Python package")} with a different version in the head`,
    table: {
      labels: [{ title: "Package", kind: "name", dispensability: 0 }],
      figures: [
        { title: "base", kind: "words", dispensability: 0 },
        { title: "head", kind: "words", dispensability: 0 },
      ],
      rows: differences.map(({ name: what, base, head }) => ({
        labels: [line(data(what))],
        figures: [version(base), version(head)],
        problem: undefined,
        verdictTone: "plain",
        tone: "plain",
        weight: "measured",
      })),
    },
  };
}
