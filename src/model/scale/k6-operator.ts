import { InputError } from "../../errors/errors.ts";
import { count } from "../../text/numbers.ts";

/** Files of a load, by their names, which lie side by side: `load.ts` and what it reads. */
export type LoadFiles = Readonly<Record<string, string>>;

export const inputName = "input.json";

/** What a ConfigMap may hold, less its own words. */
const mostBytes = 1_000_000;

const managed = ["app.kubernetes.io/managed-by", "fastapi-loadtest"] as const;

interface Exported {
  /** At most 63 lower-case letters, digits and dashes. */
  readonly name: string;
  readonly generators: number;
  /** e.g. `2.2.0` */
  readonly k6Version: string;
  readonly files: LoadFiles;
}

/** Kubernetes' name for what belongs to a cell and run: TestRuns that finished never start again. */
export function operatorName(cell: string, run: string): string {
  return `loadtest-${cell.slice(-8)}-${run}`;
}

/** A ConfigMap with the script and its data, and a TestRun of k6-operator that runs it. */
export function operatorManifests({ name, generators, k6Version, files }: Exported): readonly object[] {
  const bytes = Object.values(files).reduce(
    (total, text) => total + new TextEncoder().encode(text).length,
    0,
  );
  if (bytes > mostBytes)
    throw new InputError([
      `endpoints: have ${count(bytes)} bytes of parameters and script, and a ConfigMap holds ${count(mostBytes)}; give fewer values`,
    ]);
  const metadata = { name, labels: { [managed[0]]: managed[1] } };
  const common = { automountServiceAccountToken: "false" };
  const pod = {
    ...common,
    image: `grafana/k6:${k6Version}`,
    // k6 would fetch another k6 for a module that it lacks, and run it.
    env: [{ name: "K6_AUTO_EXTENSION_RESOLUTION", value: "false" }],
    securityContext: { runAsNonRoot: true, runAsUser: 12_345, seccompProfile: { type: "RuntimeDefault" } },
  };
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: files },
    {
      apiVersion: "k6.io/v1alpha1",
      kind: "TestRun",
      metadata,
      // Without `cleanup`: it would remove the pods, and the logs with them.
      spec: {
        parallelism: generators,
        script: { configMap: { name, file: "load.ts" } },
        arguments: `--log-format=raw --no-usage-report -e LOADTEST=./${inputName}`,
        initializer: pod,
        starter: common,
        runner: {
          ...pod,
          // No limit of CPU: a throttled k6 would read its own waiting as the app's.
          resources: { requests: { cpu: "1", memory: "512Mi" }, limits: { memory: "2Gi" } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: { k6_cr: name, runner: "true" } },
            },
          ],
        },
      },
    },
  ];
}

/** The page next to the manifests: one load after the other, and the report of all. */
export function operatorReadme(names: readonly string[], generators: number, seconds: number): string {
  const wait = Math.ceil(seconds / 60) + 5;
  const each = names.map(
    (
      name,
    ) => `kubectl apply -f ${name}.yaml && kubectl wait testrun/${name} --for=jsonpath='{.status.stage}'=finished --timeout=${wait}m
kubectl logs -l k6_cr=${name},runner=true --prefix --tail=-1 --max-log-requests=${generators} > logs/${name}.log
`,
  );
  return `# Load by k6-operator

Two lines for each load, in this folder, one load after the other, with k6-operator in the cluster:

\`\`\`console
mkdir -p logs
${each.join("\n")}\`\`\`

Then the report, in the folder above, with the program that wrote this, by its path:

\`\`\`console
node ../fastapi-loadtest-action/dist/cli.js report --results-directory . --logs k6-operator/logs
\`\`\`

\`kubectl delete -f .\` removes everything of this export, and
\`kubectl delete testruns,configmaps -l ${managed[0]}=${managed[1]}\` that of all exports. Export anew for another run: records of two runs are refused.
`;
}
