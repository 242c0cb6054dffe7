/** From a translator's file to the two that WordPress reads. */
import { mo, po } from "gettext-parser";

/** The part of what gettext-parser reads that counts here; it comes without types. */
interface Parsed {
  headers: Record<string, string>;
  /** By context, then by text. */
  translations: Record<string, Record<string, { msgid: string; msgstr: string[] }>>;
}

export interface Translated {
  /** `cfbe-de_DE.mo`, for PHP. */
  mo: Uint8Array;
  /** `cfbe-de_DE-cfbe-form-editor.json`, for the editor's script: WordPress looks for it by the script's name. */
  json: string;
  /** Each text to its translation. */
  texts: Map<string, string>;
}

/** @param source a `.po` file */
export function translate(source: string): Translated {
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
