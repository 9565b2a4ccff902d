import { operationsOf } from "../endpoints/openapi.ts";
import { memberOf, resolved } from "../endpoints/openapi-schema.ts";
import type { LinkedValue } from "../model/endpoint/form.ts";

/** Values that links of an OpenAPI document give a parameter of a path that is read. */
export function linksTo(document: unknown, path: string, name: string): readonly LinkedValue[] {
  const target = memberOf(memberOf(memberOf(document, "paths"), path), "get");
  const id = memberOf(target, "operationId");
  const reference = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/get`;
  const isMeant = (link: unknown) =>
    memberOf(link, "operationRef") === reference ||
    (typeof id === "string" && memberOf(link, "operationId") === id);
  return operationsOf(document)
    .filter((operation) => operation.method === "GET" && !operation.path.includes("{"))
    .flatMap(({ path: source }) =>
      linksIn(document, source)
        .filter(isMeant)
        .flatMap((link) => {
          const parameters = memberOf(link, "parameters");
          const said = memberOf(parameters, name) ?? memberOf(parameters, `path.${name}`);
          const [, pointer] = /^\$response\.body#(\/.{1,300})$/.exec(String(said)) ?? [];
          return pointer === undefined ? [] : [{ source, pointer }];
        }),
    );
}

function linksIn(document: unknown, path: string): readonly unknown[] {
  const responses = memberOf(memberOf(memberOf(memberOf(document, "paths"), path), "get"), "responses");
  return Object.entries(Object(responses))
    .filter(([status]) => /^2|^default$/.test(status))
    .flatMap(([, response]) => Object.values(Object(memberOf(resolved(document, response), "links"))))
    .map((link) => resolved(document, link));
}
