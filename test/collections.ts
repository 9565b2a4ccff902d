import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage again and again until it is disposed of: unreferenced objects are gone. */
export function collectingGarbage(): Disposable {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("this Node cannot be asked to collect garbage");
  const timer = setInterval(() => collect(), 10);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
