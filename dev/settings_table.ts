import { settingsOf } from "../server/settings/schema/schema.ts";
import { aboutText, defaultText, type Setting, valuesText } from "../server/platform/config/setting.ts";

/** Writes the table of all settings into docs/configure.md. */

const PAGE = new URL("../docs/configure.md", import.meta.url);
const HEAD = /^\| setting +\|/m;

/** Returns the rows of the table, as Markdown. */
export function settingRows(settings: readonly Setting[] = settingsOf()): string[] {
  return settings.filter(({ about }) => !about.internal).map((setting) => {
    const value = defaultText(setting);
    const cells = [`\`${setting.path}\``, valuesText(setting), value && `\`${value}\``, aboutText(setting)];
    return `| ${cells.map((cell) => (cell ?? "").replaceAll("|", "\\|")).join(" | ")} |`;
  });
}

/** Returns the page with the table, which is its end. */
export function withTable(page: string, rows: readonly string[]): string {
  const head = "| setting | value | default | meaning |\n| --- | --- | --- | --- |";
  return `${page.slice(0, page.search(HEAD))}${head}\n${rows.join("\n")}\n`;
}

if (import.meta.main) {
  await Deno.writeTextFile(PAGE, withTable(await Deno.readTextFile(PAGE), settingRows()));
}
