// The engine as `bench/` and `reproduce/` use it: all that they import of `src/`. Nothing in `src/` imports this file.
export { readZipDocuments } from "./adapters/forge/index.ts";
export { findK6, generateLoad, type K6, memoryOfLoad } from "./adapters/k6/index.ts";
export { cpuSetsOf } from "./adapters/machine/index.ts";
export {
  type DatabaseServerOptions,
  findPostgresBinaries,
  makeServerFolder,
  openDatabaseServer,
  reachableBinaries,
  serverUser,
  statementStart,
} from "./adapters/postgres/index.ts";
export {
  listProcesses,
  packageFolder,
  processesOf,
  readTail,
  runProcess,
  startProcess,
} from "./adapters/process/index.ts";
export { askOtava } from "./adapters/python/index.ts";
export { openResultsFolder } from "./adapters/results/index.ts";
export { packPlan } from "./adapters/runner/index.ts";
export { findFreePort, keepToCpus, openProbe } from "./adapters/server/index.ts";
export { agingOf, isAgingOpen } from "./compare/aging.ts";
export { alarmRate } from "./compare/alarm-shares.ts";
export { isEnough, isPlaced, type Judged, reachOf } from "./compare/answer.ts";
export { summarise } from "./compare/arm-summary.ts";
export {
  halfBehind,
  isSettled,
  nextCell,
  type Spent,
  turnFrom,
  versusOf,
} from "./compare/cell-comparison.ts";
export { cpuPerRequest, isDecidedByCpu, judgedByCpuSample } from "./compare/cpu-time.ts";
export { openLatencyChange } from "./compare/explanations.ts";
export { instructionChange } from "./compare/instruction-change.ts";
export { isLatencyOpen, latencyChanges } from "./compare/latency-change.ts";
export { hasNoSign, isEqualCpu } from "./compare/no-sign.ts";
export { logRatios, pairEffects } from "./compare/replicate-effect.ts";
export { holmLevels, makeJudge } from "./compare/sequential-judge.ts";
export { sampleOfBlocks, throughputEffects } from "./compare/throughput-sample.ts";
export { isSlowerByStalls, mayCostMore, stallsAgree, type Totals } from "./compare/verdict.ts";
export { readCommandLine } from "./config/command-line.ts";
export { parseConfig } from "./config/config-parser.ts";
export { textsOf } from "./config/file/value-kinds.ts";
export { unknownInput } from "./config/input-checks.ts";
export { type Files, inputs, type RawInputs } from "./config/inputs.ts";
export { loadSeconds as diagnosisSeconds } from "./diagnosis/diagnosis-phase.ts";
export type { LoadFacts } from "./diagnosis/evidence.ts";
export { type Evidence, gatherEvidence } from "./diagnosis/evidence.ts";
export { findCauses } from "./diagnosis/findings.ts";
export { withFunctions } from "./diagnosis/functions/function-findings.ts";
export { parseProbeDocuments } from "./diagnosis/probe-documents.ts";
export { EnvironmentError, exitStatus, InputError, messageOf } from "./errors/errors.ts";
export { readStrangersReport } from "./forge/posting/strangers-report.ts";
export { groupBy } from "./lists/group.ts";
export { isNonEmpty } from "./lists/non-empty.ts";
export { compareFunctions, countCells } from "./measure/causes/index.ts";
export { measure } from "./measure/measure.ts";
export { measureRounds, startingOnce } from "./measure/pair/index.ts";
export { prepare, sendingMaterials } from "./measure/preparation/index.ts";
export { endpointLabel } from "./model/endpoint/endpoint.ts";
export type { ArmDiagnosis, FoundCause } from "./model/findings/diagnosis.ts";
export { type Cause, causes, type Finding, sentenceOf, textOf } from "./model/findings/finding.ts";
export { percentiles } from "./model/load/clustering.ts";
export {
  growth,
  type Histogram,
  histogramCount,
  histogramOf,
  mergeHistograms,
  quantileMs,
} from "./model/load/histogram.ts";
export { parseK6Summary } from "./model/load/k6-summary.ts";
export {
  armRecordOf,
  type LoadRecord,
  limitMsOf,
  parseLoadRecords,
  secondsToLastReply,
  slicesOfRecords,
} from "./model/load/load-records.ts";
export { closedPhase, openPhase, openPhasesIn } from "./model/load/phases.ts";
export { slicingFor } from "./model/load/slicing.ts";
export {
  type AgedPair,
  type ArmName,
  type ArmRecord,
  type Block,
  type Measurement,
  measurementSchema,
  type Replicate,
  requestsServed,
  type SlicePairs,
} from "./model/measurement/measurement.ts";
export {
  type Cell,
  type Load,
  loadLabel,
  loadSeconds,
  makeCell,
  openFilesProblem,
} from "./model/plan/cell.ts";
export { agedPair, agedPairs, secondsOfAged, secondsPerReplicate } from "./model/plan/minutes.ts";
export { type Design, looks, makePlan, type Plan } from "./model/plan/plan.ts";
export { serverArgv } from "./model/workload/server-command.ts";
export type { App, Database, Workload } from "./model/workload/workload.ts";
export type { Probe, ServerCommand } from "./ports/app.ts";
export type { DatabaseCopy, DatabaseServer, DatabaseTemplate } from "./ports/database.ts";
export type { CpuSets } from "./ports/machine.ts";
export type { MeasurePorts } from "./ports/measure.ts";
export type { ProgressEvent } from "./ports/progress.ts";
export type { ImportedApp, PythonEnvironment } from "./ports/python.ts";
export { evidenceText } from "./report/causes/cause-text.ts";
export { renderComment } from "./report/render/markdown/comment.ts";
export { reportOf } from "./report/report.ts";
export { normalChance } from "./statistics/chance.ts";
export { type Interval, mean, median, sum, trimmedMean, variance } from "./statistics/estimate.ts";
export { normalTail } from "./statistics/group-sequential.ts";
export { distanceFromZero, halfWidth, rateOverTime, relativeChange, sampleOf } from "./statistics/student.ts";
export { shortenEnd } from "./text/length.ts";
export { codeBlock, codeSpan, mermaidNumber, mermaidText, sentence, tableRow } from "./text/markdown.ts";
export { nearest } from "./text/nearest.ts";
export { count, figure, plural, plusMinus, unknown } from "./text/numbers.ts";
export { percent } from "./text/percent.ts";
export { printable } from "./text/visible.ts";
export { measurePorts } from "./wiring/measure.ts";
export { files } from "./wiring/run.ts";
export { openShared, runProgram, type Shared, withShared } from "./wiring/shared.ts";
