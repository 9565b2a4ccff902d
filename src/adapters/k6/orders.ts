import { growth } from "../../model/load/histogram.ts";
import type { LoadRequest } from "../../ports/load.ts";

/** The orders of `k6/load.ts`, declared in `k6/scenario.ts`, and the rows of all steps (`rowsPath`). */
export function ordersOf(request: LoadRequest, rowsPath: string) {
  const { targets, endpoint, materials, load, detailed, sliceMs, guard, renewMs, seed } = request;
  const lists = materials?.map((each) => each?.rows ?? []);
  const headers = materials?.map((each) => each?.headers ?? {});
  const captures = materials?.some((each) => each?.captures !== undefined)
    ? materials.map((each) => each?.captures ?? [])
    : undefined;
  const rows = lists?.flat();
  const answeredBy = materials?.[0]?.answeredBy;
  const common = {
    ...{ endpoint, headers, captures, answeredBy, load, detailed, sliceMs, guard, renewMs, growth, seed },
  };
  const counts = lists === undefined ? {} : { rowsPath, rowCounts: lists.map(({ length }) => length) };
  return { script: { ...common, targets, ...counts }, rows };
}
