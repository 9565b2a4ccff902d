/** The verbs of the command line, and the values of the action's `command` input. */
export const verbs = ["run", "plan", "measure", "report"] as const;

export type Verb = (typeof verbs)[number];

/** In which cells causes are looked for. `on-change`: in those that are not `unchanged`, and those without a base. */
export const diagnoseChoices = ["on-change", "always", "never"] as const;

export type Diagnose = (typeof diagnoseChoices)[number];

export const commentModes = ["always", "on-change", "on-failure", "never"] as const;

/** Which reports get a comment on the pull request. One that is there already is kept up to date by all but `never`. */
export type CommentMode = (typeof commentModes)[number];

/**
 * When the check fails. `threshold`: slower by at least the fail threshold, or seen so in a comparison that is invalid.
 * `invalid`: at any that is invalid, too.
 */
export const failChoices = ["slower", "threshold", "invalid", "never"] as const;

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

export type UrlStyle = (typeof urlStyles)[number];
