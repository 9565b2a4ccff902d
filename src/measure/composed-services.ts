import { InputError } from "../errors/errors.ts";
import type { Service } from "../model/workload/service.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { EndpointPorts } from "../ports/endpoints.ts";
import { composedService } from "../repository/composed-service.ts";

/** Reads the compose files that services are described in. Throws one `InputError` for all that cannot be used. */
export async function readComposed(
  workload: Workload,
  ports: Pick<EndpointPorts, "readTable">,
): Promise<Workload> {
  const { services = [] } = workload;
  if (services.every(({ composed }) => composed === undefined)) return workload;
  const problems: string[] = [];
  const read: Service[] = [];
  for (const service of services) {
    const found = await withImage(service, ports);
    if (typeof found === "string") problems.push(`services.${service.name}: compose: ${found}`);
    else read.push(found);
  }
  if (problems.length > 0) throw new InputError(problems);
  return { ...workload, services: read };
}

/** The service with its image; what the configuration says itself goes before. */
async function withImage(
  { composed, ...service }: Service,
  ports: Pick<EndpointPorts, "readTable">,
): Promise<Service | string> {
  if (composed === undefined) return service;
  const { file, own } = composed;
  const text = await ports.readTable(file);
  const found = "text" in text ? composedService(text.text, service.name) : text;
  if ("problem" in found) return `${file} ${found.problem}`;
  const port = own.port ?? found.port;
  if (port === undefined)
    return `${file} names no port of its service ${service.name}; say on which it listens in its container, e.g. port: 8080`;
  const args = own.args ?? found.args;
  return {
    ...service,
    image: { ...found, ...own, port, args, variables: { ...found.variables, ...own.variables } },
  };
}
