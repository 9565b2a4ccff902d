import { expect, test } from "vitest";
import { seedNeeds } from "../../../src/model/seed/seed-statement.ts";

test("roles, memberships and extensions are found wherever they are made", () => {
  const text = `
    CREATE ROLE reader NOLOGIN; create user "Odd ""One""" LOGIN PASSWORD 'x'; CREATE GROUP IF NOT EXISTS crew;
    DO $$ BEGIN CREATE ROLE writer; END $$;
    CREATE USER MAPPING FOR reader SERVER s;
    CREATE ROLE pg_mine; CREATE ROLE public;
    GRANT reader, crew TO writer, CURRENT_USER WITH ADMIN OPTION;
    GRANT SELECT ON boats TO reader; GRANT elsewhere TO reader;
    CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA extensions;
    CREATE EXTENSION postgis SCHEMA public; CREATE EXTENSION citext;`;
  expect(seedNeeds(["SELECT 1;", text])).toEqual({
    roles: ["reader", 'Odd "One"', "crew", "writer"],
    memberships: [
      { role: "reader", member: "writer" },
      { role: "reader", member: "current_user" },
      { role: "crew", member: "writer" },
      { role: "crew", member: "current_user" },
    ],
    extensions: [
      { name: "uuid-ossp", schema: "extensions" },
      { name: "postgis", schema: "public" },
      { name: "citext", schema: undefined },
    ],
  });
});
