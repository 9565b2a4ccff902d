import { jsonOf } from "../../text/json.ts";
import type { Document } from "../measurement/documents.ts";
import { type GeneratorRecords, generatorSchema } from "./generator-records.ts";
import { columnsOf, sliceColumnsSchema, slicesOfColumns } from "./slice-columns.ts";

const documentSchema = generatorSchema.extend({ slices: sliceColumnsSchema });

/** The document of one generator. */
export function generatorDocument({ slices, ...records }: GeneratorRecords): string {
  return `${JSON.stringify({ ...records, slices: columnsOf(slices) })}\n`;
}

/** Name of the document of one generator. */
export function generatorDocumentName({ identity }: GeneratorRecords, number: number): string {
  return `cells/${identity.cell}.generator-${number}.json`;
}

/** True for the document of one generator: `cells/ID.generator-2.json`. */
export function isOfGenerator({ name }: Pick<Document, "name">): boolean {
  return /\.generator-\d{1,2}\.json$/.test(name);
}

/** Reads the documents of generators; what is none is left out with a warning, and its part of the load is missed. */
export function parseGenerators(documents: readonly Document[]): {
  readonly records: readonly GeneratorRecords[];
  readonly warnings: readonly string[];
} {
  const records: GeneratorRecords[] = [];
  const warnings: string[] = [];
  for (const { name, text, problem } of documents) {
    const file = name.split(/[\\/]/).at(-1) ?? name;
    const read = problem === undefined ? documentSchema.safeParse(jsonOf(text)).data : undefined;
    const slices = read && slicesOfColumns(read.slices);
    if (read !== undefined && slices !== undefined) records.push({ ...read, slices });
    else
      warnings.push(
        `Left out ${file}: ${problem === undefined ? "not the records of a generator" : `it ${problem}`}.`,
      );
  }
  return { records, warnings };
}
