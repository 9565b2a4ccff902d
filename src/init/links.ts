import { type LinksOf, operationsOf } from "../endpoints/openapi.ts";
import { memberOf, resolved } from "../endpoints/openapi-schema.ts";
import type { LinkedValue } from "../model/endpoint/form.ts";

interface Link {
  readonly source: string;
  readonly link: unknown;
}

/** Values that links of an OpenAPI document give parameters of paths that are read. */
export function linksIn(document: unknown): LinksOf {
  const links = new Map<string, Link[]>();
  for (const each of allLinks(document))
    for (const target of targetsOf(each.link)) {
      const others = links.get(target);
      if (others === undefined) links.set(target, [each]);
      else others.push(each);
    }
  if (links.size === 0) return () => [];
  return (path, name) => {
    const id = memberOf(memberOf(memberOf(memberOf(document, "paths"), path), "get"), "operationId");
    const reference = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/get`;
    const found = [`reference ${reference}`, `name ${String(id)}`].flatMap((each) => links.get(each) ?? []);
    return [...new Set(found)].flatMap((each) => valueFrom(each, name));
  };
}

function valueFrom({ source, link }: Link, name: string): readonly LinkedValue[] {
  const parameters = memberOf(link, "parameters");
  const said = memberOf(parameters, name) ?? memberOf(parameters, `path.${name}`);
  const [, pointer] = /^\$response\.body#(\/.{1,300})$/.exec(String(said)) ?? [];
  return pointer === undefined ? [] : [{ source, pointer }];
}

/** What a link is to: an operation by its place, or by its name. */
function targetsOf(link: unknown): readonly string[] {
  const [reference, id] = [memberOf(link, "operationRef"), memberOf(link, "operationId")];
  return [
    ...(typeof reference === "string" ? [`reference ${reference}`] : []),
    ...(typeof id === "string" ? [`name ${id}`] : []),
  ];
}

/** Of good replies of operations that need no parameters. */
function allLinks(document: unknown): readonly Link[] {
  return operationsOf(document)
    .filter(({ method, path }) => method === "GET" && !path.includes("{"))
    .flatMap(({ path: source }) => {
      const responses = memberOf(memberOf(memberOf(memberOf(document, "paths"), source), "get"), "responses");
      return Object.entries(Object(responses))
        .filter(([status]) => /^2|^default$/.test(status))
        .flatMap(([, response]) => Object.values(Object(memberOf(resolved(document, response), "links"))))
        .map((link) => ({ source, link: resolved(document, link) }));
    });
}
