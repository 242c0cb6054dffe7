import { parseConsent } from "../../shared/consent_text.ts";
import type { Settings } from "../settings/schema.ts";

/** What is pasted to show a form: by where it is pasted. */
export interface FormSnippets {
  html: string;
  own: string;
  react: string;
  wordpress: string;
}

type Form = Settings["forms"]["forms"][number];

/** @param baseUrl public address of the service */
export function snippetsFor(baseUrl: string, form: Form, asked: Settings["form"]): FormSnippets {
  const page = `${baseUrl}/form/${form.name}`;
  return {
    html: `<script async src="${baseUrl}/cfbe.js"></script>

<cfbe-form form="${form.name}"><a href="${page}">Subscribe</a></cfbe-form>`,
    own: `<script async src="${baseUrl}/cfbe.js"></script>

<form data-cfbe-form="${form.name}" action="${page}" method="post">
  <label>Email <input name="email" type="email" autocomplete="email" required></label>${moreFields(asked)}
  <button>Subscribe</button> <output data-cfbe-message></output>
</form>`,
    react: `import { CfbeForm } from "cfbe/react";

<CfbeForm src="${baseUrl}/cfbe.js" form="${form.name}">
  <a href="${page}">Subscribe</a>
</CfbeForm>`,
    wordpress: `[cfbe_form form="${form.name}"]`,
  };
}

/** What the Form tab asks for beside an address. */
function moreFields({ nameField, interests, consent, consentText }: Settings["form"]): string {
  const must = (is: string) => is === "required" ? " required" : "";
  const lines = [
    ...(nameField === "hidden"
      ? []
      : [`<label>Name <input name="name" autocomplete="name"${must(nameField)}></label>`]),
    ...interests.map(({ tag, label }) =>
      `<label><input name="interests" type="checkbox" value="${escaped(tag)}"> ${escaped(label)}</label>`
    ),
    ...(consent === "off" ? [] : [
      `<label><input name="consent" type="checkbox" value="true"${must(consent)}> ${
        consentMarkup(consentText)
      }</label>`,
    ]),
  ];
  return lines.map((line) => `\n  ${line}`).join("");
}

function consentMarkup(text: string): string {
  return parseConsent(text).map(({ text, href }) =>
    href ? `<a href="${escaped(href)}">${escaped(text)}</a>` : escaped(text)
  ).join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
