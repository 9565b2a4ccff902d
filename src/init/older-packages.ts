import type { Mended } from "./mended.ts";
import type { Project } from "./project.ts";

/** Failures of an app for which a package of another version is a likely reason. */
const brokenByPackage = new RegExp(
  [
    "ImportError: cannot import name",
    // passlib logs the one about bcrypt, and goes on.
    "AttributeError: (?!module 'bcrypt' has no attribute '__about__')(?:module|type object|'[\\w.]+' object|partially)",
    "TypeError: (?!\\S+ has no OpenAPI document)",
    "No module named '(?:pkg_resources|imp|distutils|cgi|pydantic|starlette|sqlalchemy|fastapi)[.']",
    "No module named 'psycopg2?'", // SQLAlchemy 2.1 has another driver for `postgresql://`
    "pydantic\\.errors\\.|PydanticUserError|PydanticImportError|ConfigError",
    "sqlalchemy\\.exc\\.(?:ArgumentError|InvalidRequestError|ObjectNotExecutableError)",
    "VersionMismatch|VersionConflict|ContextualVersionConflict",
    "process [\\w.-]+ ended",
  ].join("|"),
);

/** Packages whose last release does not fit those after a day, and what the app says then. */
const lastFitting: readonly { readonly said: RegExp; readonly until: string; readonly reason: string }[] = [
  {
    said: /passlib[\s\S]*password cannot be longer than 72 bytes/,
    until: "2025-09-24",
    reason: "passlib cannot hash passwords with bcrypt 5, which came out the day after",
  },
];

/**
 * Packages of the day on which the requirements were last changed, where those leave versions open: what came out since
 * may no longer fit.
 */
export function withOlderPackages(project: Project, said: string): Mended | undefined {
  const { requiredOn, openRequirements, ...rest } = project;
  const known = lastFitting.find((each) => each.said.test(said));
  if (requiredOn === undefined || !(known !== undefined || brokenByPackage.test(said))) return undefined;
  const files = openRequirements.join(", ");
  const { day, reason, why } =
    known !== undefined && known.until < requiredOn
      ? { day: known.until, reason: known.reason, why: known.reason }
      : {
          day: requiredOn,
          reason: `with newer packages it does not start; ${files} was last changed on that day`,
          why: `when ${files} was last changed`,
        };
  const otherwise = { ...rest, openRequirements };
  return {
    project: {
      ...otherwise,
      findings: [...project.findings, { key: "exclude-newer", value: day, reason }],
    },
    told: `the app fails as one does with packages newer than it knows, so it is tried with those up to ${day}, ${why} (\`exclude-newer\`)`,
    otherwise,
  };
}
