import {
  parseReachDocuments,
  type ReachDocument,
  startWindow,
} from "../../diagnosis/reach/reach-documents.ts";
import type { AppPorts } from "../../ports/app.ts";

type Variables = Readonly<Record<string, string>>;

/** A command, or a start of the app, that fills a database. */
export interface SeedStep extends AsyncDisposable {
  /** Variables of its processes. */
  variables(own: Variables): Variables;
  /** Takes down what they ran. */
  read(are: "ended" | "running"): Promise<void>;
}

export interface SeedWatch {
  open(): Promise<SeedStep>;
  /** What ran in all steps, or why nobody knows. */
  seen(): readonly ReachDocument[] | string;
}

/** @param topFolder of the arm's repository */
export function watchSeeding(topFolder: string, ports: Pick<AppPorts, "openProbe">): SeedWatch {
  const documents: ReachDocument[] = [];
  let doubt: string | undefined;
  return {
    open: async () => {
      const probe = await ports.openProbe("reach");
      return {
        variables: (own) => probe.variables(own, topFolder),
        read: async (are) => {
          const found = parseReachDocuments(await probe.readFiles(are), [startWindow]);
          if (typeof found === "string") doubt ??= found;
          else if (are === "ended" && !found.every(({ ended }) => ended))
            doubt ??= "a seed ended without a record";
          else documents.push(...found);
        },
        [Symbol.asyncDispose]: () => probe[Symbol.asyncDispose](),
      };
    },
    seen: () => doubt ?? documents,
  };
}
