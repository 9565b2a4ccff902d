import { expect, test } from "vitest";
import { ifThere, type SeedGround, sentStatement } from "../../../src/model/seed/seed-statement.ts";

const ground: SeedGround = {
  database: 'our"s',
  user: "loadtest",
  roles: new Map([
    ["loadtest", true],
    ["reader", false],
    ["crew", true],
    ["Odd Role", false],
  ]),
  extensions: new Map([
    ["citext", false],
    ["postgis", true],
  ]),
  major: 15,
  isPrepared: true,
  schemas: ["extensions"],
};

const kept = undefined;

test.for<[string, string | undefined, string | undefined]>([
  // The statement, what is sent instead of it, and what was left out.
  ["SELECT 'x OWNER TO nobody'", kept, undefined],
  ["ALTER TABLE public.boats OWNER TO harbour_admin;", "", "OWNER TO harbour_admin"],
  ["ALTER FUNCTION f(a text DEFAULT 'x') OWNER TO \"Some One\";", "", "OWNER TO Some One"],
  ["ALTER TABLE boats OWNER TO reader;", "", "OWNER TO reader"],
  ["ALTER TABLE boats OWNER TO LoadTest;", kept, undefined],
  ["ALTER TABLE boats OWNER TO CURRENT_USER", kept, undefined],
  ["GRANT SELECT ON boats TO harbour_reader WITH GRANT OPTION;", "", "GRANT to harbour_reader"],
  ["GRANT ALL ON SCHEMA public TO PUBLIC;", kept, undefined],
  ['GRANT SELECT ON boats TO reader, "Odd Role";', kept, undefined],
  ["REVOKE ALL ON boats FROM reader, nobody CASCADE;", "", "GRANT to nobody"],
  ["GRANT reader TO loadtest;", "", undefined],
  ["GRANT reader TO nobody;", "", "GRANT to nobody"],
  [
    "ALTER DEFAULT PRIVILEGES FOR ROLE harbour_admin IN SCHEMA public GRANT SELECT ON TABLES TO reader;",
    "",
    "ALTER DEFAULT PRIVILEGES FOR ROLE harbour_admin",
  ],
  ["ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO nobody;", "", "GRANT to nobody"],
  ["ALTER DEFAULT PRIVILEGES FOR ROLE loadtest GRANT SELECT ON TABLES TO reader;", kept, undefined],
  ["CREATE POLICY p ON public.boats FOR SELECT TO nobody USING (true);", "", "POLICY to nobody"],
  ["CREATE POLICY p ON boats AS PERMISSIVE FOR SELECT TO reader USING (true);", kept, undefined],
  ["CREATE POLICY p ON boats USING (name = ' TO nobody');", kept, undefined],
  ["ALTER TABLE boats OWNER TO crew;", "", "OWNER TO crew"],
  ["SET ROLE crew;", kept, undefined],
  ["SET ROLE harbour_admin;", "", "SET ROLE harbour_admin"],
  ["SET LOCAL ROLE 'nobody'", "", "SET ROLE nobody"],
  ["SET SESSION AUTHORIZATION DEFAULT;", kept, undefined],
  ["SET search_path = public;", kept, undefined],
  ["SET client_encoding = 'LATIN1';", "", undefined],
  ["SET NAMES 'UTF8'", "", undefined],
  ["SET transaction_timeout = 0;", "", undefined],
  ["SET default_tablespace = '';", kept, undefined],
  ["SET default_tablespace = fast;", "", "default_tablespace"],
  ["CREATE DATABASE harbour WITH TEMPLATE = template0;", "", undefined],
  ["DROP DATABASE IF EXISTS harbour;", "", undefined],
  [
    "ALTER DATABASE harbour SET search_path TO 'a', 'b';",
    "ALTER DATABASE \"our\"\"s\" SET search_path TO 'a', 'b';",
    undefined,
  ],
  ["COMMENT ON DATABASE \"harbour\" IS 'x';", 'COMMENT ON DATABASE "our""s" IS \'x\';', undefined],
  [
    "GRANT CONNECT, TEMPORARY ON DATABASE harbour TO reader;",
    'GRANT CONNECT, TEMPORARY ON DATABASE "our""s" TO reader;',
    undefined,
  ],
  [
    "ALTER ROLE loadtest IN DATABASE harbour SET work_mem = '5MB';",
    'ALTER ROLE loadtest IN DATABASE "our""s" SET work_mem = \'5MB\';',
    undefined,
  ],
  ["DO $$ BEGIN CREATE ROLE reader LOGIN; END $$;", "DO $$ BEGIN NULL; END $$;", undefined],
  ["DO $$ BEGIN CREATE USER MAPPING FOR a SERVER s; END $$;", kept, undefined],
  ["COMMENT ON TABLE boats IS 'GRANT ON DATABASE harbour TO x'", kept, undefined],
  ["COMMENT ON EXTENSION citext IS 'x';", "", undefined],
  ["CREATE EXTENSION IF NOT EXISTS citext WITH SCHEMA public;", kept, undefined],
  ["CREATE EXTENSION postgis;", "", undefined],
  ["DROP EXTENSION IF EXISTS postgis;", "", undefined],
  ["DROP EXTENSION citext;", kept, undefined],
  ["CREATE EXTENSION timescaledb;", "", "EXTENSION timescaledb"],
  ["CREATE SCHEMA extensions;", "", undefined],
  ["CREATE SCHEMA harbour;", kept, undefined],
  ["CREATE SCHEMA harbour AUTHORIZATION nobody;", "CREATE SCHEMA harbour;", "AUTHORIZATION nobody"],
  ["CREATE SCHEMA AUTHORIZATION nobody;", "CREATE SCHEMA nobody;", "AUTHORIZATION nobody"],
  ["CREATE SCHEMA harbour AUTHORIZATION loadtest;", kept, undefined],
  ["CREATE ROLE reader;", "", undefined],
  ["CREATE USER MAPPING FOR reader SERVER s;", kept, undefined],
  ["DROP ROLE IF EXISTS reader;", "", undefined],
  ["ALTER ROLE reader WITH SUPERUSER;", "", "ALTER ROLE reader"],
  ["ALTER ROLE loadtest SET search_path = x;", kept, undefined],
  ["CREATE PUBLICATION p FOR ALL TABLES;", "", "PUBLICATION"],
  ["CREATE SUBSCRIPTION s CONNECTION '' PUBLICATION p;", "", "SUBSCRIPTION"],
  ["CREATE EVENT TRIGGER t ON ddl_command_end EXECUTE FUNCTION f();", "", "EVENT TRIGGER"],
  ["ALTER SYSTEM SET work_mem = '1GB';", "", "ALTER SYSTEM"],
  [
    "ALTER TABLE ONLY public.boats DISABLE TRIGGER ALL;",
    "SET session_replication_role = replica;",
    undefined,
  ],
  ["ALTER TABLE boats ENABLE TRIGGER ALL;", "SET session_replication_role = origin;", undefined],
  ["ALTER /* a */ TABLE boats -- b\n OWNER TO nobody;", "", "OWNER TO nobody"],
])("%s", ([text, sent, left]) => {
  expect(sentStatement(text, ground)).toEqual({ text: sent ?? text, ...(left !== undefined && { left }) });
});

test.for([
  "CREATE ROLE other;",
  "ALTER TABLE boats OWNER TO crew;",
  "GRANT reader TO loadtest;",
  "ALTER TABLE boats DISABLE TRIGGER ALL;",
  "SET transaction_timeout = 0;",
])("without a superuser of ours the server decides: %s", (text) => {
  expect(sentStatement(text, { ...ground, isPrepared: false, major: 17 })).toEqual({ text });
});

test("a statement that is longer than its beginning is sent as it is", () => {
  const text = `COMMENT ON DATABASE harbour IS '${"x".repeat(20_000)}';`;
  expect(sentStatement(text, ground)).toEqual({ text });
});

test.for([
  ["DROP TABLE public.boats;", "DROP TABLE IF EXISTS public.boats;"],
  ['DROP MATERIALIZED VIEW public."All";', 'DROP MATERIALIZED VIEW IF EXISTS public."All";'],
  ["DROP FUNCTION public.f(integer);", "DROP FUNCTION IF EXISTS public.f(integer);"],
  ["DROP TABLE IF EXISTS public.boats;", "DROP TABLE IF EXISTS public.boats;"],
  [
    "ALTER TABLE ONLY public.boats DROP CONSTRAINT boats_pkey;",
    "ALTER TABLE IF EXISTS ONLY public.boats DROP CONSTRAINT IF EXISTS boats_pkey;",
  ],
  [
    "ALTER TABLE public.boats ALTER COLUMN id DROP DEFAULT;",
    "ALTER TABLE IF EXISTS public.boats ALTER COLUMN id DROP DEFAULT;",
  ],
  ["CREATE TABLE drops (id integer);", "CREATE TABLE drops (id integer);"],
])("%s of a dump is %s", ([text, sent]) => {
  expect(ifThere(text ?? "")).toBe(sent);
});
