import { groupBy, type Measurement, type MeasurePorts, plural } from "../../src/engine.ts";
import type { Reproduction } from "../arguments.ts";
import { type Claim, parseClaims } from "../documents/claims.ts";
import { type PublishedResult, parsePublishedResults } from "../documents/published-results.ts";
import { type Judgement, judgeClaims } from "../judgement/claim-judgement.ts";
import type { Reproduced } from "../judgement/exit-status.ts";
import { renderReportIndex } from "../page/report-index.ts";
import { renderReportPage } from "../page/report-page.ts";
import type { DiagnosedCase, IndexedReport, MachineOfPage, Occasion } from "../page/report-page-input.ts";
import type { ReproducePorts } from "../ports.ts";
import { caseNote } from "../scenario/case-note.ts";
import { idsOf, type Scenario } from "../scenario/scenario.ts";
import { casesOfClaims, chooseScenarios } from "../scenario/scenario-choice.ts";
import { parseScenario } from "../scenario/scenario-parser.ts";
import { claimLines } from "../table/claim-lines.ts";
import { diagnosisLines } from "../table/diagnosis-lines.ts";
import { publishedTable, totalsLine } from "../table/published-table.ts";
import { reproductionJson } from "../table/reproduction-json.ts";
import { resultLines } from "../table/result-lines.ts";
import { type DoneCase, type ReadyCase, readyCases, runCases } from "./cases.ts";
import { knownProblems } from "./known-problems.ts";

/** A scenario whose inputs were read, with its claims. */
interface ReadyScenario {
  readonly scenario: Scenario;
  readonly ready: readonly [ReadyCase, ...ReadyCase[]];
  /** All claims: those that are shown may build on the ratios and the needs of others. */
  readonly claims: readonly Claim[];
  readonly claimsOfReport: number;
  readonly isShown: (claim: Pick<Claim, "id" | "report">) => boolean;
  readonly results: readonly PublishedResult[];
}

/**
 * Runs the requested cases and judges their claims. Every scenario is read, and everything known to be missing is
 * reported, before the first one starts.
 */
export async function reproduce(wanted: Reproduction, ports: ReproducePorts): Promise<Reproduced> {
  const scenarios = await readScenarios(wanted, ports);
  const prepared = await prepare(scenarios, ports);
  const reports: IndexedReport[] = [];
  const failed: string[] = [];
  let occasion: Occasion | undefined;
  for (const { each, measurePorts } of prepared) {
    const { name, title } = each.scenario;
    const done = await runCases(each.ready, measurePorts);
    failed.push(...failedIn(done));
    occasion = { size: wanted.size, date: measurePorts.now(), machine: machineOf(done, measurePorts) };
    const judgements = await showReport(each, done, occasion, ports);
    reports.push({ name, title, judgements });
    if (measurePorts.signal.aborted) break;
  }
  const judgements = reports.flatMap((report) => report.judgements);
  if (occasion !== undefined && reports.length > 1) {
    const isPart = scenarios.some(
      ({ claims, isShown, claimsOfReport }) => claims.filter(isShown).length < claimsOfReport,
    );
    await savePageOf(isPart, "README.md", renderReportIndex({ ...occasion, reports }), ports);
    ports.print(`${totalsLine(publishedTable([], [], judgements).totals)}\n`);
  }
  return { judgements, failed };
}

interface Prepared {
  readonly each: ReadyScenario;
  readonly measurePorts: MeasurePorts;
}

/** Reports at once what is missing. Everything else is still measured. */
async function prepare(
  scenarios: readonly ReadyScenario[],
  ports: ReproducePorts,
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  const problems: string[] = [];
  for (const each of scenarios) {
    const { workload } = each.ready.find((ready) => ready.workload.separateCpus) ?? each.ready[0];
    const measurePorts = await ports.measurePorts(each.scenario.name, workload);
    problems.push(...(await knownProblems(each.ready, measurePorts)));
    prepared.push({ each, measurePorts });
  }
  if (problems.length > 0)
    ports.print(`Some cases cannot be measured:\n${problems.map((problem) => `  ${problem}\n`).join("")}`);
  return prepared;
}

/** Cancelled cases count, too: a cancelled run has a status of its own anyway. */
function failedIn(done: readonly DoneCase[]): readonly string[] {
  return done.flatMap(({ cases: [first] }) =>
    first === undefined || first.kind === "measured" ? [] : [first.id],
  );
}

async function readScenarios(wanted: Reproduction, ports: ReproducePorts): Promise<readonly ReadyScenario[]> {
  const claims = parseClaims(await ports.readScenarioFile("published/claims.json"));
  const results = parsePublishedResults(await ports.readScenarioFile("published/results.json"));
  const names = await ports.scenarioNames();
  const chosen = chooseScenarios(wanted.names, names, claims);
  const cases = casesOfClaims(chosen.claims, claims);
  const scenarios: ReadyScenario[] = [];
  for (const name of names) {
    const isWhole = chosen.whole.has(name);
    if (!isWhole && chosen.claims.size === 0) continue;
    const text = await ports.readScenarioFile(`${name}.yml`);
    const scenario = parseScenario(name, text, wanted.size, claims);
    const among = [...chosen.claims].flatMap((id) => scenario.claims[id]?.among ?? []);
    const isWanted = (id: string) => cases.has(id) || among.some((start) => id.startsWith(start));
    const [first, ...others] = readyCases(scenario, ports.files).filter(
      ({ of }) => isWhole || idsOf(of).some(isWanted),
    );
    if (first === undefined) continue;
    scenarios.push({
      scenario,
      ready: [first, ...others],
      claims,
      claimsOfReport: claims.filter(({ report }) => report === scenario.report).length,
      isShown: ({ id, report }) => report === scenario.report && (isWhole || chosen.claims.has(id)),
      results: results.filter(({ report }) => report === scenario.report),
    });
  }
  return scenarios;
}

async function showReport(
  { scenario, ready, claims, claimsOfReport, isShown, results }: ReadyScenario,
  done: readonly DoneCase[],
  occasion: Occasion,
  ports: ReproducePorts,
): Promise<readonly Judgement[]> {
  const { name, title } = scenario;
  const cases = done.flatMap(({ cases: named }) => named);
  const judgements = judgeClaims(claims, cases, scenario.claims, occasion.machine.cores).filter(isShown);
  const prose = await ports.readScenarioFile(`${name}.md`);
  const caseNotes = Object.fromEntries(
    ready.flatMap(({ of, workload }) => idsOf(of).map((id) => [id, caseNote(of, workload)])),
  );
  const diagnosed = done.flatMap(diagnosedCase);
  const found = { cases, caseNotes, judgements, diagnosed };
  const table = publishedTable(results, cases, judgements);
  const about = { ...occasion, name, title, claimsOfReport };
  await ports.saveResult(`${name}.json`, reproductionJson({ ...about, ...table }));
  const page = renderReportPage({ ...about, prose, results, ...found });
  const path = await savePageOf(judgements.length < claimsOfReport, `${name}.md`, page, ports);
  const failed = failedIn(done);
  const failedLine =
    failed.length === 0 ? "" : `${plural(failed.length, "case")} failed: ${failed.join(", ")}`;
  const lines = [
    title,
    claimLines(judgements),
    resultLines(table.results),
    diagnosisLines(diagnosed),
    totalsLine(table.totals),
    failedLine,
    path,
  ];
  ports.print(`\n${lines.filter((line) => line !== "").join("\n")}\n`);
  return judgements;
}

/** Saves pages of whole reports only: a page of single claims would replace such a page. */
async function savePageOf(
  isPart: boolean,
  name: string,
  text: string,
  { saveResult, savePage }: ReproducePorts,
): Promise<string> {
  if (!isPart) return await savePage(name, text);
  return `${await saveResult(name, text)} (covers only part of the report, so it is not published)`;
}

function diagnosedCase({ cases, measurement }: DoneCase): readonly DiagnosedCase[] {
  const diagnosis = measurement?.diagnosis?.head;
  return diagnosis === undefined ? [] : cases.slice(0, 1).map(({ id }) => ({ id, diagnosis }));
}

function machineOf(done: readonly DoneCase[], { machine }: MeasurePorts): MachineOfPage {
  const environments = done.flatMap(({ measurement }) => environmentOf(measurement));
  const postgres = environments.map((each) => each.postgres).find((each) => each !== undefined);
  const { cpuModel, cores, memoryBytes, kernel } = machine;
  const [first] = environments;
  const packages = mergedPackages(environments.map((each) => each.packages));
  return { cpuModel, cores, memoryBytes, kernel, python: first?.python, k6: first?.k6, postgres, packages };
}

/** Puts packages together, because apps of one report may have environments of their own. */
function mergedPackages(environments: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const all = groupBy(environments.flatMap(Object.entries<string>), ([name]) => name);
  return Object.fromEntries(
    [...all].map(([name, found]) => [name, [...new Set(found.map(([, version]) => version))].join(" or ")]),
  );
}

function environmentOf(measurement: Measurement | undefined) {
  return measurement?.environment === undefined ? [] : [measurement.environment];
}
