import { textOfUrlPart } from "../../text/quoting.ts";
import type { UrlStyle } from "../choices.ts";
import type { Seed } from "./workload.ts";

const placeholders = ["url", "host", "port", "user", "password", "database"] as const;
type Placeholder = (typeof placeholders)[number];
const placeholderPattern = /\{(\w*)\}/g;

/** One sentence on the mistake in the template of a variable's value, or `undefined`. */
export function templateProblem(template: string): string | undefined {
  const unknown = [...template.matchAll(placeholderPattern)].find(([, name = ""]) => !isPlaceholder(name));
  return (
    unknown &&
    `has an unknown placeholder ${unknown[0]}; choose from ${placeholders.map((name) => `{${name}}`).join(", ")}`
  );
}

/** Variables with the database's address, and `PGPORT` for addresses without a port. A template's `{user}` and the like are not spelled for a URL. */
export function databaseVariables(
  { variable, urlStyle, templates }: Pick<Seed, "variable" | "urlStyle" | "templates">,
  url: string,
): Record<string, string> {
  const styled = inStyle(url, urlStyle ?? "postgresql");
  const address = new URL(url);
  const values: Record<Placeholder, string> = {
    url: styled,
    host: address.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: address.port || "5432",
    user: textOfUrlPart(address.username),
    password: textOfUrlPart(address.password),
    database: textOfUrlPart(address.pathname.slice(1)),
  };
  const filled = Object.entries(templates ?? {}).map(([name, template]) => [
    name,
    template.replaceAll(placeholderPattern, (written, each: string) =>
      isPlaceholder(each) ? values[each] : written,
    ),
  ]);
  // A driver looks there for what an address leaves out.
  const port = dialectOf(url) === "postgres" ? { PGPORT: values.port } : {};
  return { ...port, [variable]: styled, ...Object.fromEntries(filled) };
}

/** asyncpg's dialect passes the URL's query on to a driver that calls `sslmode` by another name. */
function inStyle(url: string, style: UrlStyle): string {
  const address = new URL(url);
  const mode = address.searchParams.get("sslmode");
  if (style === "postgresql+asyncpg" && mode !== null) {
    address.searchParams.delete("sslmode");
    address.searchParams.set("ssl", mode);
  }
  return address.href.replace(/^[a-z]+:/, `${style}:`);
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((each) => each === name);
}

export function dialectOf(url: string): "postgres" | "mysql" | "sqlite" {
  if (url.startsWith("sqlite:")) return "sqlite";
  return url.startsWith("mysql:") ? "mysql" : "postgres";
}
