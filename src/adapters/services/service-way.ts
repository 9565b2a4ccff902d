import { access, constants } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

import type { Service, ServiceImage, ServiceProgram } from "../../model/workload/service.ts";

/** How a service is started on this machine. */
export type ServiceWay =
  | { readonly kind: "program"; readonly path: string; readonly program: ServiceProgram }
  | { readonly kind: "image"; readonly docker: string; readonly image: ServiceImage };

/** Servers are often where only root looks for programs. */
const moreFolders = ["/usr/sbin", "/usr/local/sbin"];

/** PATH for services: the app's environment first. */
export function searchPath(binFolder: string, path = process.env["PATH"] ?? ""): string {
  return [binFolder, path, ...moreFolders].filter((each) => each !== "").join(delimiter);
}

/** The first way that this machine has; `undefined` when it has none. */
export async function wayOf(service: Service, path: string): Promise<ServiceWay | undefined> {
  for (const program of service.programs) {
    const found = await findProgram(program.program, path);
    if (found !== undefined) return { kind: "program", path: found, program };
  }
  const docker = service.image && (await findProgram("docker", path));
  return service.image && docker !== undefined ? { kind: "image", docker, image: service.image } : undefined;
}

/** True when this machine can start the service without a container. */
export async function hasProgram({ programs }: Pick<Service, "programs">): Promise<boolean> {
  const found = await Promise.all(programs.map(({ program }) => findProgram(program, searchPath(""))));
  return found.some((each) => each !== undefined);
}

export async function findProgram(program: string, path: string): Promise<string | undefined> {
  const folders = isAbsolute(program) ? [""] : path.split(delimiter);
  for (const folder of folders) {
    const each = join(folder, program);
    const isThere = await access(each, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return each;
  }
  return undefined;
}
