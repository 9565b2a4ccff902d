import { csvColumn, csvRows } from "../../endpoints/csv.ts";
import { mostRows } from "../../endpoints/rows.ts";
import { InputError } from "../../errors/errors.ts";
import { mostUsers } from "../../model/endpoint/login.ts";
import type { Service } from "../../model/workload/service.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { EndpointPorts } from "../../ports/run.ts";
import { composedService } from "../../repository/composed-service.ts";
import { missingValue } from "./users.ts";

type Ports = Pick<EndpointPorts, "readTable">;

/** The workload with services of compose files, users and parameters of CSV files. `InputError`. */
export async function readFiles(workload: Workload, ports: Ports): Promise<Workload> {
  return await readParameters(await readUsers(await readServices(workload, ports), ports), ports);
}

async function readServices(workload: Workload, ports: Ports): Promise<Workload> {
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

async function withImage({ composed, ...service }: Service, ports: Ports): Promise<Service | string> {
  if (composed === undefined) return service;
  const { file, own } = composed;
  const text = await ports.readTable(file);
  const found = "text" in text ? composedService(text.text, service.name) : text;
  if ("problem" in found) return `${file} ${found.problem}`;
  const port = own.port ?? found.port;
  if (port === undefined)
    return `${file} sets no port for its service ${service.name}; set the port inside the container, e.g. port: 8080`;
  const args = own.args ?? found.args;
  const variables = { ...found.variables, ...own.variables };
  return { ...service, image: { ...found, ...own, port, args, variables } };
}

async function readUsers(workload: Workload, ports: Ports): Promise<Workload> {
  const { login } = workload;
  if (login?.usersFrom?.kind !== "csv") return workload;
  const { file } = login.usersFrom;
  const table = await ports.readTable(file);
  const rows = "text" in table ? csvRows(table.text) : table;
  const problem = "problem" in rows ? rows.problem : missingValue(login, rows);
  if ("problem" in rows || problem !== undefined)
    throw new InputError([`${login.place}: login: users: ${file} ${problem}`]);
  return { ...workload, login: { ...login, users: rows.slice(0, mostUsers) } };
}

async function readParameters(workload: Workload, ports: Ports): Promise<Workload> {
  const problems: string[] = [];
  const forms: (typeof workload.forms)[number][] = [];
  for (const form of workload.forms) {
    const params = { ...form.params };
    for (const [name, source] of Object.entries(params)) {
      if (source.kind !== "csv") continue;
      const table = await ports.readTable(source.file);
      const values = "text" in table ? csvColumn(table.text, source.column) : table;
      if ("problem" in values)
        problems.push(`${form.places[name]}: params.${name}: ${source.file} ${values.problem}`);
      else params[name] = { ...source, values: values.slice(0, mostRows) };
    }
    forms.push({ ...form, params });
  }
  if (problems.length > 0) throw new InputError(problems);
  return { ...workload, forms };
}
