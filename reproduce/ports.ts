import type { Files } from "../src/config/raw-inputs.ts";
import type { Workload } from "../src/model/workload/workload.ts";
import type { MeasurePorts } from "../src/ports/measure.ts";
/** What `reproduce` needs from outside. */
export interface ReproducePorts {
  /** Paths in scenarios are taken from the folder that holds `reproduce/scenarios/`. */
  readonly files: Files;
  scenarioNames(): Promise<readonly string[]>;
  /** Text of a file in `reproduce/scenarios/`. */
  readScenarioFile(name: string): Promise<string>;
  /** `workload`: of a case that keeps CPUs apart, where one does; all of a scenario share one machine. */
  measurePorts(scenario: string, workload: Workload): Promise<MeasurePorts>;
  /** Writes a file into the results folder and returns its path. */
  saveResult(name: string, text: string): Promise<string>;
  /** Writes a page of a whole report, into the folder of pages where one is given, and returns its path. */
  savePage(name: string, text: string): Promise<string>;
  print(text: string): void;
}
