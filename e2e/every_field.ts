/** A form with a field of every kind, for tests of hosts that embed forms. */
import type { Page } from "playwright-core";
import { FIELD_KIND_NAMES, traitsOf } from "../shared/fields/kinds.ts";
import type { RunningProgram } from "./program.ts";

/** A name that no field of the contract has. */
const nameOf = (kind: string) => `my_${kind.toLowerCase()}`;

/** Creates a form with a field of each kind, named after its kind. The hidden field reads `data-shop`. */
export async function createFormWithEveryField(program: RunningProgram, name: string): Promise<void> {
  const fields = FIELD_KIND_NAMES.map((kind) => ({
    name: nameOf(kind),
    kind,
    label: `My ${kind}`,
    ...(traitsOf(kind).hasOptions && { options: ["Small", "Large"] }),
    ...(kind === "hidden" && { from: "attribute", key: "shop" }),
  }));
  const output = await program.cfbe(
    "settings",
    "set",
    "forms.forms",
    JSON.stringify([{ name, fields }]),
  );
  if (/Nothing was changed/.test(output)) throw new Error(output);
}

/** Fills in the visible fields. */
export async function fillEveryField(page: Page): Promise<void> {
  for (
    const [kind, text] of [
      ["firstName", "Ada"],
      ["lastName", "Byron"],
      ["text", "ACME"],
      ["number", "7"],
      ["phone", "+49 30 1234567"],
    ]
  ) {
    await page.getByLabel(`My ${kind}`).fill(text!);
  }
  await page.getByLabel("My date").fill("1990-07-14");
  await page.getByLabel("My country").selectOption({ label: "Germany" });
  await page.getByLabel("My select").selectOption("Large");
  await page.getByRole("radio", { name: "Small" }).check();
  for (const name of ["Small", "Large", "My checkbox", "My consent"]) {
    await page.getByRole("checkbox", { name }).check();
  }
}

/** The stored values, with `data-shop="berlin"` on the form. */
export const EVERY_VALUE = {
  my_firstname: "Ada",
  my_lastname: "Byron",
  my_text: "ACME",
  my_number: 7,
  my_date: "1990-07-14",
  my_phone: "+49301234567",
  my_country: "DE",
  my_select: "Large",
  my_radio: "Small",
  my_multiselect: ["Small", "Large"],
  my_checkbox: true,
  my_consent: true,
  my_hidden: "berlin",
};
