/** Words of the style that the texts of a language do not have: formal or informal. */
const OTHER_STYLE: Readonly<Record<string, string>> = {
  de: "du dir dich dein deine deinem deinen deiner",
  es: "usted su sus haga revise elija escriba mire",
  fr: "tu toi ton ta tes saisis choisis regarde",
  it: "lei suo sua controlli inserisca scelga",
  nl: "je jij jou jouw",
  pt: "você tu teu tua tens",
  "pt-BR": "tu teu tua",
  sv: "ni er ert",
};

/** The languages whose style is checked. */
export const STYLED_LOCALES: readonly string[] = Object.keys(OTHER_STYLE);

/** Returns whether a text addresses people in another style than the texts of its language. */
export const isOtherStyle = (locale: string, text: string): boolean =>
  new RegExp(`(?<!\\p{L})(?:${OTHER_STYLE[locale]!.replaceAll(" ", "|")})(?!\\p{L})`, "iu").test(text);

/** Returns whether a French text lacks a no-break space before ?, !, ; or :, other than in an address such as https://. */
export const lacksFrenchSpace = (text: string): boolean => /[^\u202f][?!;]|[^\u00a0]:(?!\/)/.test(text);
