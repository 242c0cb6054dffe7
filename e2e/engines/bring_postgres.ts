/** Installs PostgreSQL and PgBouncer for `deno task test:engines`. */
import { postgresPrograms } from "../../dev/testing/postgres_server.ts";
import { bringPackages } from "../debian_packages.ts";
import { pgBouncerProgram } from "./pgbouncer.ts";

const unless = (path: string | undefined) =>
  path ? Promise.resolve() : Promise.reject(new Error("not installed"));

await bringPackages([
  ["postgresql", () => unless(postgresPrograms())],
  ["pgbouncer", () => unless(pgBouncerProgram())],
]);
