/** Compiles a translation into the two formats that WordPress reads. */
import { mo, po } from "gettext-parser";

/** The part of gettext-parser's result that is used here. The package has no types. */
interface Parsed {
  headers: Record<string, string>;
  /** By context, then by source text. */
  translations: Record<string, Record<string, { msgid: string; msgstr: string[] }>>;
}

export interface Translation {
  /** `cfbe-de.mo`, for PHP. */
  mo: Uint8Array;
  /** `cfbe-de-cfbe-form-editor.json`, for the editor script: WordPress finds it by the script's handle. */
  json: string;
  /** Translations by source text. */
  texts: Map<string, string>;
}

/**
 * Compiles a `.po` file.
 *
 * @param source content of the file
 */
export function translate(source: string): Translation {
  const parsed: Parsed = po.parse(source);
  const entries = Object.values(parsed.translations[""] ?? {}).filter(({ msgid }) => msgid !== "");
  const language = parsed.headers["Language"] ?? "";
  const messages: Record<string, unknown> = {
    "": { domain: "cfbe", lang: language, "plural-forms": parsed.headers["Plural-Forms"] },
  };
  for (const { msgid, msgstr } of entries) messages[msgid] = msgstr;
  return {
    mo: new Uint8Array(mo.compile(parsed)),
    json: JSON.stringify({ domain: "cfbe", locale_data: { cfbe: messages } }),
    texts: new Map(entries.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? ""])),
  };
}
