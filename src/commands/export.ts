import { stringify } from "yaml";
import type { RawInputs } from "../config/inputs.ts";
import { exitStatus, InputError } from "../errors/errors.ts";
import { requestOf } from "../measure/generators.ts";
import { materialsFor, prepareMaterials } from "../measure/preparation/index.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import { loadSeconds } from "../model/plan/cell.ts";
import { operatorManifests, operatorName, operatorReadme } from "../model/scale/k6-operator.ts";
import { scaledLoad } from "../model/scale/scaled-load.ts";
import { planMark } from "../model/scale/scaled-plan.ts";
import { segmentOf, sequenceOf } from "../model/scale/segments.ts";
import type { RunPorts } from "../ports/run.ts";
import { planCells } from "./plan.ts";
import { fillInEndpoints, readRequest } from "./request.ts";

/** Scripts line by line, and each part of a manifest where it belongs. */
const layout = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** Writes the plan and k6-operator's files into the results folder. Returns the exit status. */
export async function exportForOperator(raw: RawInputs, ports: RunPorts): Promise<number> {
  const request = await readRequest("run", raw, ports.request);
  const apps = await fillInEndpoints(request, ports);
  const [{ workload }] = apps;
  const plan = await planCells(apps, ports.planPorts({ forMatrix: false }));
  if (workload.scriptPath !== undefined)
    throw new InputError([
      "script: cannot be exported; k6-operator runs a k6 script of your own unchanged, without a comparison",
    ]);
  const { generators } = plan;
  const { targets } = workload;
  if (generators === undefined || targets === undefined)
    throw new InputError(["generators: must be 2 or more for an export, e.g. 4"]);
  if (workload.login !== undefined)
    throw new InputError(["login: cannot be exported; everybody could read its token in a ConfigMap"]);
  const measuring = await ports.measurePorts(request.reporting, workload);
  const { materials } = await prepareMaterials(workload, undefined); // discovery, and so links, need an app of ours
  const k6Version = await measuring.findGenerator();
  await measuring.clearResults();
  await measuring.save("plan.json", `${JSON.stringify(plan)}\n`);
  const target = (arm: ArmName) => ({ arm, baseUrl: targets[arm] ?? targets.head });
  for (const cell of plan.cells) {
    const name = operatorName(cell.id, generators.run);
    const found = materialsFor(cell.endpoint, materials);
    const files = await measuring.exportLoad({
      ...requestOf(cell, scaledLoad(cell, plan.design), target, generators),
      ...(found !== undefined && { materials: found }),
      name,
      generator: {
        ...{ cell: cell.id, run: generators.run, plan: planMark(plan), withinSeconds: 0 },
        ...{ segment: segmentOf(1, 1), sequence: sequenceOf(1) }, // the operator gives each pod its own
      },
    });
    const manifests = operatorManifests({ name, generators: generators.count, k6Version, files });
    await measuring.save(
      `k6-operator/${name}.yaml`,
      manifests.map((each) => stringify(each, layout)).join("---\n"),
    );
  }
  const seconds = Math.max(...plan.cells.map((cell) => loadSeconds(scaledLoad(cell, plan.design).load) ?? 0));
  const names = plan.cells.map(({ id }) => operatorName(id, generators.run));
  await measuring.save("k6-operator/README.md", operatorReadme(names, generators.count, seconds));
  ports.print(`${request.reporting.resultsDirectory}/k6-operator/README.md explains how to run it\n`);
  return exitStatus.fine;
}
