import type { PartialSettings } from "../../../settings/schema/schema.ts";
import { ManualClock } from "../../../../dev/testing/manual_clock.ts";
import { startProgram, type TestProgram } from "../../../../dev/testing/program.ts";

export const form: PartialSettings["form"] & { consentText: string } = {
  nameField: "optional",
  interests: [{ tag: "tea", label: "Tea" }, { tag: "coffee", label: "Coffee" }],
  consent: "required",
  consentText: "I agree to the [terms](https://shop.example/terms).",
};

const FORMS: Pick<PartialSettings, "forms"> = {
  forms: { forms: [{ name: "footer", tags: ["site"] }] },
};

export function start(clock = new ManualClock(), forms = FORMS) {
  return startProgram({ clock, file: { settings: { form, ...forms } } });
}

export async function get(program: TestProgram, path = "/form/footer", headers: HeadersInit = {}) {
  const response = await fetch(program.baseUrl + path, { headers });
  return { response, html: await response.text() };
}

export async function post(program: TestProgram, fields: [string, string][], path = "/form/footer") {
  const response = await fetch(program.baseUrl + path, { method: "POST", body: new URLSearchParams(fields) });
  return { response, html: await response.text() };
}

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

/** Returns the fields that a browser would send after the form is filled in. */
export const filled = (html: string, email: string): [string, string][] => [
  ["email", email],
  ["name", "Ann"],
  ["interests", "tea"],
  ["consent", "true"],
  ["cfbe_hp", ""],
  ["cfbe_token", hidden(html, "cfbe_token")],
  ["cfbe_cfg", hidden(html, "cfbe_cfg")],
];
