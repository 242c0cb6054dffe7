/** Installs PostgreSQL, and what stands before it or cfbe, for `deno task test:engines`. */
import { postgresPrograms } from "../../dev/testing/postgres_server.ts";
import { bringPackages } from "../debian_packages.ts";
import { findCommand } from "../process.ts";

await bringPackages([
  ["postgresql", () => postgresPrograms() ? Promise.resolve() : Promise.reject(new Error("not installed"))],
  ...["pgbouncer", "nginx", "caddy"].map((name) => [name, () => findCommand(name)] as const),
]);
