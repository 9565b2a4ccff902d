import { expect, test } from "vitest";

import { exampleValues, madeUpValue } from "../../../src/init/read/variables.ts";

test.for<readonly [name: string, type: string | undefined, value: string]>([
  ["DEBUG", "bool", "false"],
  ["HOSTS", "list[str]", "[]"],
  ["EXTRA", "Dict[str, str]", "{}"],
  ["ORIGINS", "CommaSeparatedStrings", "made-up"],
  ["LIMIT", "PositiveInt", "1"],
  ["MAIL", "EmailStr", "user@example.com"],
  ["FIRST_SUPERUSER", undefined, "user@example.com"],
  ["EMAIL_HOST", undefined, "127.0.0.1"],
  ["MAIL_FROM", "str", "user@example.com"],
  ["SMTP_USER", "str", "user@example.com"],
  ["MAIL_FROM_NAME", "str", "made-up-for-the-load-test"],
  ["SMTP_SENDER", undefined, "user@example.com"],
  ["JWT_ALGORITHM", "str", "HS256"],
  ["SUPERUSER_PHONE", "str", "+14155552671"],
  ["APP_LOG_LEVEL", "str", "INFO"],
  ["CACHE", "RedisDsn", "redis://127.0.0.1:6379/0"],
  ["SMTP_PORT", undefined, "1"],
  ["TOKEN_EXPIRE_MINUTES", "int", "3600"],
  ["KEPT_DAYS", undefined, "1"],
  ["MODE", 'Literal["dev", "prod"]', "dev"],
  ["secret", undefined, "made-up-for-the-load-test-of-32-or-more"],
  ["algorithm", undefined, "HS256"],
  ["MONGODB_URL", undefined, "mongodb://127.0.0.1:1"],
  ["MONGO_HOST", "str", "127.0.0.1"],
  ["STORE", "MongoDsn", "mongodb://127.0.0.1:1"],
  ["FRONT_URL", "AnyUrl", "http://127.0.0.1:1"],
  ["PARTNER_URL", "str", "http://127.0.0.1:1"],
  ["PARTNER_URI", "Optional[str]", "http://127.0.0.1:1"],
  ["SECRET_KEY", "str", "made-up-for-the-load-test-of-32-or-more"],
  ["SENTRY_DSN", "str", ""],
  ["APP_SENTRY_DSN", "HttpUrl", "http://key@127.0.0.1:1/1"],
  ["NAME", "str", "made-up-for-the-load-test"],
])("a value for %s of %s", ([name, type, value]) => {
  expect(madeUpValue({ name, type })).toBe(value);
});

test("an example for development comes before one for production", () => {
  const files = [
    { path: ".env.prod.example", text: "HOST=db.example.com\nREGION=eu\n" },
    { path: ".env.local.example", text: "HOST=localhost\n" },
  ];
  expect([...exampleValues(files)]).toEqual([
    ["HOST", { value: "localhost", path: ".env.local.example" }],
    ["REGION", { value: "eu", path: ".env.prod.example" }],
  ]);
});

test("values may be quoted, commented and JSON in several lines", () => {
  const text = `export A="a # b" # c
B = b # c
C='[
  "/x",
  "/y"
 ]'
KEY="-----BEGIN
MII"
D='don"t'
E='open
not a line
F={"x": 1}\r
`;
  const found = [...exampleValues([{ path: ".env.example", text }])].map(([name, { value }]) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(found)).toEqual({
    A: "a # b",
    B: "b",
    C: '[ "/x", "/y" ]',
    D: 'don"t',
    E: "'open",
    F: '{"x": 1}',
  });
});

test("an example's server of mail is not used, nor its password", () => {
  const text =
    "MAIL_SERVER=smtp.example.com\nSMTP_HOST=localhost\nMAIL_PASSWORD=Qx7\nMAIL_PORT=587\nDB_PASSWORD=p\nEMAIL_RESET_TOKEN_EXPIRE_HOURS=48\n";
  const found = [...exampleValues([{ path: ".env.example", text }])].map(([name, { value }]) => [
    name,
    value,
  ]);
  expect(Object.fromEntries(found)).toEqual({
    MAIL_SERVER: "127.0.0.1",
    SMTP_HOST: "localhost",
    MAIL_PASSWORD: "Load-test-1!",
    MAIL_PORT: "587",
    DB_PASSWORD: "p",
    EMAIL_RESET_TOKEN_EXPIRE_HOURS: "48",
  });
});
