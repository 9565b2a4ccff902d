import { readdirSync } from "node:fs";
import { resolve } from "node:path";

import {
  type DatabaseCopy,
  type DatabaseServer,
  type DatabaseTemplate,
  openDatabaseServer,
} from "../../src/engine.ts";
import type { Data } from "./cases.ts";

const files: Readonly<Record<Data, () => readonly string[]>> = {
  "e-commerce": () =>
    readdirSync("sql")
      .filter((name) => name.endsWith(".sql"))
      .toSorted()
      .map((name) => resolve("sql", name)),
  "ten users": () => [resolve("sql/reports/ten-users.sql")],
  shop: () => [resolve("bench/diagnosis/tables.sql")],
};

/** Copies of filled databases, on one server that starts with the first of them. */
export class Databases implements AsyncDisposable {
  readonly #workFolder: string;
  readonly #cpus: string | undefined;
  #server: Promise<DatabaseServer> | undefined;
  readonly #templates = new Map<Data, Promise<DatabaseTemplate>>();

  constructor(workFolder: string, cpus: string | undefined) {
    this.#workFolder = workFolder;
    this.#cpus = cpus;
  }

  async copy(data: Data): Promise<DatabaseCopy> {
    const seed = { seedFiles: files[data](), scale: 0.01, variable: "DATABASE_URL" };
    this.#server ??= openDatabaseServer(
      { kind: "private", ...seed },
      {
        workFolder: this.#workFolder,
        toolsFolder: resolve(".tools"),
        cpus: this.#cpus,
        signal: new AbortController().signal,
        onStep: () => undefined,
      },
    );
    const server = await this.#server;
    const template = this.#templates.get(data) ?? server.seed(seed);
    this.#templates.set(data, template);
    return (await template).copy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#server)?.[Symbol.asyncDispose]();
  }
}
