import type { Files, MeasurePorts, Workload } from "../src/engine.ts";
/** The outside world of `reproduce`. */
export interface ReproducePorts {
  /** Paths in scenarios are relative to the folder that holds `reproduce/scenarios/`. */
  readonly files: Files;
  scenarioNames(): Promise<readonly string[]>;
  /** Text of a file in `reproduce/scenarios/`. */
  readScenarioFile(name: string): Promise<string>;
  /** Ports for the cases of a scenario, on one machine. `workload`: that of a case that keeps CPUs apart, if any. */
  measurePorts(scenario: string, workload: Workload): Promise<MeasurePorts>;
  /** Writes a file into the results folder and returns its path. */
  saveResult(name: string, text: string): Promise<string>;
  /** Writes a page of a whole report and returns its path. It goes into the folder of pages, if one is given. */
  savePage(name: string, text: string): Promise<string>;
  print(text: string): void;
}
