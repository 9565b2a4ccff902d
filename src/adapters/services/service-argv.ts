import { userInfo } from "node:os";
import { filled, type ServiceImage, type ServicePorts, serviceHost } from "../../model/workload/service.ts";
import type { Argv } from "../process/index.ts";

/** Fills the templates of a program. */
export function filler(ports: ServicePorts, folder: string): (template: string) => string {
  const values = { host: serviceHost, ...ports, folder, me: userInfo().username };
  return (template) => filled(template, values);
}

export function filledValues(
  variables: Readonly<Record<string, string>>,
  fill: (template: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, fill(value)]));
}

/** The command that runs a container in the foreground; its ports are open on this machine only. */
export function dockerArgv(
  docker: string,
  { image, port, port2, args, variables }: ServiceImage,
  {
    name,
    ports,
    cpus,
  }: { readonly name: string; readonly ports: ServicePorts; readonly cpus: string | undefined },
): Argv {
  const publish = (outer: number, inner: number | undefined) =>
    inner === undefined ? [] : ["--publish", `${serviceHost}:${outer}:${inner}`];
  return [
    docker,
    "run",
    "--rm",
    "--name",
    name,
    ...publish(ports.port, port),
    ...publish(ports.port2, port2),
    ...(cpus === undefined ? [] : ["--cpuset-cpus", cpus]),
    ...Object.entries(variables).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    image,
    ...args,
  ];
}
