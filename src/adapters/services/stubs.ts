import type { ServiceWay } from "./service-way.ts";

const unknownRoute = /^no route: ([A-Z]+ \/\S*)$/gm;

/** How our stub server is started: Node itself runs it, with the routes in a file of its folder. */
export function stubWay(routes: string, serverPath: string): ServiceWay {
  const args = [serverPath, "{folder}/routes.json", "{port}"];
  const files = { "routes.json": routes };
  return { kind: "program", path: process.execPath, program: { program: "node", args, files } };
}

/** What a stub was asked for and does not have, by its log: `GET /x`. Foreign text. */
export function unknownRoutesIn(log: string): string[] {
  return [...new Set([...log.matchAll(unknownRoute)].map(([, route = ""]) => route))];
}
