import type { SubscribeRequest } from "../../../shared/contract.ts";

/** What the visitor filled in. */
export type Filled = Pick<SubscribeRequest, "email" | "name" | "interests" | "consent" | "cfbe_hp">;

/** The inputs of a form that carry one of our names. */
export function inputsOf(form: HTMLFormElement, name: string): HTMLInputElement[] {
  // Not `form.elements[name]`, which is one element or a list, and not `form[name]`, which `form.name` hides.
  return [...form.elements as HTMLCollectionOf<HTMLInputElement>].filter((input) => input.name === name);
}

/** Reads what the visitor filled in. A field that the form leaves out is not sent. */
export function readForm(form: HTMLFormElement): Filled {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? "").trim();
  const has = (name: string) => inputsOf(form, name)[0];
  return {
    email: text("email"),
    cfbe_hp: text("cfbe_hp"),
    ...has("name") && { name: text("name") },
    ...has("interests") && { interests: data.getAll("interests").map(String) },
    ...has("consent") && { consent: data.has("consent") },
  };
}
