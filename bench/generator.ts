// CPU time per request of k6 with our load script, beside the plainest script that makes the same load.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { generatorCost } from "./parts/generator-cost.ts";
import { printFigures } from "./parts/timing.ts";

const root = process.cwd();
const folders = [join(root, ".tools", "bin"), ...(process.env["PATH"] ?? "").split(delimiter)];
const k6 = folders.map((folder) => join(folder, "k6")).find((path) => existsSync(path));
if (k6 === undefined) throw new Error("k6 is needed for this benchmark and was not found");
const { closed, open } = await generatorCost(k6, join(root, "k6", "load.ts"));
printFigures({ generatorCpuClosedRatio: closed, generatorCpuOpenRatio: open });
