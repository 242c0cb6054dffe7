import type { SubscribeRequest } from "../../../shared/contract.ts";

/** Values that the visitor entered. */
export type FormValues = Pick<
  SubscribeRequest,
  "email" | "name" | "interests" | "consent" | "fields" | "cfbe_hp"
>;

/** Returns a form's inputs. A field of the page named `elements` hides the form's own property. */
export const elementsOf = (form: HTMLFormElement): HTMLCollectionOf<HTMLInputElement> =>
  Reflect.get(HTMLFormElement.prototype as object, "elements", form);

/** Returns the inputs with a name. */
export function inputsOf(form: HTMLFormElement, name: string): HTMLInputElement[] {
  // `form.elements[name]` returns an element or a list, and `form["name"]` is a property of the form.
  return [...elementsOf(form)].filter((input) => input.name === name);
}

/** Reads a form's values. Omits fields that the form does not have. */
export function readForm(form: HTMLFormElement): FormValues {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "").trim();
  // They also have an element under its ID. The server treats an empty value like an absent one.
  const elements = elementsOf(form);
  return {
    email: text("email"),
    cfbe_hp: text("cfbe_hp"),
    ..."name" in elements && { name: text("name") },
    ..."interests" in elements && { interests: data.getAll("interests") as string[] },
    ..."consent" in elements && { consent: data.has("consent") },
  };
}
