/** Installs what `deno task test:wordpress` needs. */
import { bringPackages } from "../debian_packages.ts";
import { findCommand } from "../process.ts";
import { WORDPRESS } from "./folders.ts";

async function requireExtension(extension: string): Promise<void> {
  const { stdout } = await new Deno.Command("php", { args: ["-m"] }).output();
  if (!new TextDecoder().decode(stdout).split("\n").includes(extension)) throw new Error(extension);
}

await bringPackages([
  ["php-cli", () => findCommand("php")],
  ["php-mysql", () => requireExtension("mysqli")],
  ["mariadb-server-core", () => findCommand("mariadbd")],
  ["nginx", () => findCommand("nginx")],
  ["wordpress", () => Deno.stat(`${WORDPRESS}/wp-settings.php`)],
  ["wordpress-theme-twentytwentythree", () => Deno.stat(`${WORDPRESS}/wp-content/themes/twentytwentythree`)],
]);
