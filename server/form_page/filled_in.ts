const LONGEST_SHOWN = 300;

/** The visitor's input, to be shown again. */
export interface FilledIn {
  email: string;
  name: string;
  interests: string[];
  consent: boolean;
}

export const EMPTY: FilledIn = { email: "", name: "", interests: [], consent: false };

/** Returns the visitor's input from the fields of a submitted form. Long texts are cut off. */
export function filledIn(fields: URLSearchParams): FilledIn {
  const text = (name: string) => (fields.get(name) ?? "").slice(0, LONGEST_SHOWN);
  return {
    email: text("email"),
    name: text("name"),
    interests: fields.getAll("interests"),
    consent: !["", "0", "false", "off"].includes(text("consent")),
  };
}
