/** A variable of the environment that the app's code reads. */
export interface ReadVariable {
  readonly name: string;
  /** File that reads it. */
  readonly path: string;
  /** True when the app cannot start without it. */
  readonly isNeeded: boolean;
  /** The type as written, when it is a field of settings, or is cast: `PostgresDsn`. */
  readonly type: string | undefined;
  /** Its default, when that is written out. */
  readonly value: string | undefined;
  /** True for a field of settings: its name may be written in any case. */
  readonly isField: boolean;
}

const isMail = /EMAIL|SUPERUSER$|MAIL_FROM|_SENDER$|FROM_ADDRESS$/;

/** A value of the wanted type. People know better ones. */
export function madeUpValue({ name: written, type = "" }: Pick<ReadVariable, "name" | "type">): string {
  const name = written.toUpperCase();
  if (/\bbool\b/i.test(type)) return "false";
  if (/\b(?:list|dict|set|tuple|sequence)\b/i.test(type)) return /dict/i.test(type) ? "{}" : "[]";
  if (/CommaSeparated|Csv/.test(type)) return "made-up";
  if (/Email/.test(type) || (isMail.test(name) && !/PASSWORD|HOST|PORT|TEMPLATE|NAME/.test(name)))
    return "user@example.com";
  if (/Redis/.test(type)) return "redis://127.0.0.1:6379/0";
  // A token of the login must outlive a load.
  if (/_(?:MINUTES|SECONDS|TTL|EXPIRE|EXP)$/.test(name)) return "3600";
  if (/\b(?:\w*int|float|Decimal|timedelta)\b/i.test(type)) return "1";
  if (/(?:^|_)PORT$|_(?:HOURS|DAYS|SIZE|COUNT|LIMIT|TIMEOUT)$/.test(name)) return "1";
  if (/Literal\[\s*["']([^"']+)["']/.test(type)) return /Literal\[\s*["']([^"']+)["']/.exec(type)?.[1] ?? "";
  if (/mongo/i.test(name + type) && /(?:Dsn|URL|URI|DSN|CONNECTION_STRING|_HOST)(?:str)?$/.test(name + type))
    return name.endsWith("_HOST") ? "127.0.0.1" : "mongodb://127.0.0.1:1";
  if (/Url\b/.test(type) || /UR[LI]$/.test(name)) return "http://127.0.0.1:1";
  if (/(?:^|_)ALGORITHM$/.test(name)) return "HS256";
  // Rules for passwords want all of these.
  if (/(?:PASSWORD|_PASS|_PWD)$/.test(name)) return "Load-test-1!";
  // Libraries that sign refuse short keys.
  return `made-up-for-the-load-test${/SECRET|KEY|TOKEN|SALT/.test(name) ? "-of-32-or-more" : ""}`;
}
