/** The verbs of the command line, and the values of the action's `command` input. */
export const verbs = ["run", "plan", "measure", "report"] as const;

export type Verb = (typeof verbs)[number];

/** Cells that are diagnosed. `on-change`: those that are not `unchanged`, and those without a base. */
export const diagnoseChoices = ["on-change", "always", "never"] as const;

export type Diagnose = (typeof diagnoseChoices)[number];

/** `auto`: with a base, and where Valgrind is installed. */
export const countChoices = ["auto", "never"] as const;

export const commentModes = ["always", "on-change", "on-failure", "never"] as const;

/** Reports that get a comment on the pull request. All choices but `never` keep an existing comment up to date. */
export type CommentMode = (typeof commentModes)[number];

/**
 * Results that fail the check. `regression`: slower by at least `max-slowdown`, even in an invalid comparison.
 * `latency`: also a longer latency percentile. `memory`: also more memory. `cost`: also more instructions. `invalid`: also
 * any invalid comparison.
 */
export const failChoices = ["slower", "regression", "latency", "memory", "cost", "invalid", "never"] as const;

export type FailOn = (typeof failChoices)[number];

/** Forms of URL that drivers and SQLAlchemy's dialects want; the first is Postgres's own. */
export const urlStyles = [
  "postgresql",
  "postgres",
  "postgresql+asyncpg",
  "postgresql+psycopg",
  "postgresql+psycopg2",
  "postgresql+psycopg_async",
  "postgresql+pg8000",
] as const;

/** The same for MySQL; the first is its own. */
export const mysqlStyles = [
  "mysql",
  "mysql+pymysql",
  "mysql+mysqldb",
  "mysql+mysqlconnector",
  "mysql+aiomysql",
  "mysql+asyncmy",
] as const;

export type UrlStyle = (typeof urlStyles)[number] | (typeof mysqlStyles)[number];
