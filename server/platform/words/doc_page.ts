/** Titles of the pages of the documentation that texts name, by the file's name. A test compares them with the pages. */
const TITLES = {
  brevo: "Connect Brevo",
  buttondown: "Connect Buttondown",
  configure: "Configure cfbe",
  hosting: "Host cfbe",
  kit: "Connect Kit",
  klaviyo: "Connect Klaviyo",
  listmonk: "Connect listmonk",
  mailchimp: "Connect Mailchimp",
  mailerlite: "Connect MailerLite",
  move: "Move to another provider",
  privacy: "Consent and privacy",
  provider: "Connect the provider",
  security: "Security",
  "shop-hook": "Shop hook",
  style: "Style the form",
  "test-your-page": "Test your page",
} as const;

export type DocPage = keyof typeof TITLES;
export const DOC_PAGES = Object.entries(TITLES) as [DocPage, string][];

/**
 * Returns how a sentence names a page of the documentation. Not by its file: a container has none, and whoever uses the
 * admin may not reach those of the server.
 */
export function docPage(name: DocPage): string {
  return `the page “${TITLES[name]}” of cfbe's documentation`;
}

/** Returns how a sentence names the page of a provider, whose adapter may not be built in. @param path as `docs` in its module */
export function docPageAt(path: string): string {
  const found = DOC_PAGES.find(([name]) => path === `docs/${name}.md`);
  return found ? docPage(found[0]) : path;
}
