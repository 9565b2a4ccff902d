/** The language of a database's queries, by its URL. */
export function dialectOf(url: string): "postgres" | "mysql" | "sqlite" {
  if (url.startsWith("sqlite:")) return "sqlite";
  return url.startsWith("mysql:") ? "mysql" : "postgres";
}
