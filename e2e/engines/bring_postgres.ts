/** Installs PostgreSQL for `deno task test:engines`. */
import { postgresPrograms } from "../../dev/testing/postgres_server.ts";
import { bringPackages } from "../debian_packages.ts";

await bringPackages([
  ["postgresql", () => postgresPrograms() ? Promise.resolve() : Promise.reject(new Error("not installed"))],
]);
