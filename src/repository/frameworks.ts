/** The web frameworks whose apps are recognised; a new one is a row. */
export const frameworks = [
  { name: "FastAPI", distribution: "fastapi", isDescribed: true },
  { name: "Starlette", distribution: "starlette", isDescribed: false },
  { name: "Litestar", distribution: "litestar", isDescribed: false },
  { name: "Quart", distribution: "quart", isDescribed: false },
  { name: "Flask", distribution: "flask", isDescribed: false },
  { name: "Django", distribution: "django", isDescribed: false },
] as const;

/** Distributions of which a web app requires one: without any, a list of requirements is not the app's whole. */
export const frameworkPackages: readonly string[] = frameworks.map(({ distribution }) => distribution);

/** Classes of apps, as a pattern. Django's app is made by a function of its own. */
export const appClasses = frameworks
  .map(({ name }) => name)
  .filter((name) => name !== "Django")
  .join("|");

/** False for a framework whose apps have no OpenAPI document where FastAPI's have theirs. */
export function isDescribed(framework: string): boolean {
  return frameworks.find(({ name }) => name === framework)?.isDescribed ?? true;
}
