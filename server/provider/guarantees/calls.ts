import type { ProviderHarness } from "../conformance.ts";
import type { Provider } from "../port.ts";

/** Makes every call that the provider is capable of, about one address. */
export async function callAll(
  provider: Provider,
  h: ProviderHarness,
  email: string,
): Promise<[name: string, { kind: string }][]> {
  const target = { list: h.doubleOptIn, email };
  const { capabilities: can } = provider;
  const calls: Record<string, false | (() => Promise<{ kind: string }>)> = {
    subscribe: () => provider.subscribe(target, { name: "Ann", tags: [] }),
    status: () => provider.status(target),
    resend: can.resend && (() => provider.resend(target)),
    erase: can.erasure && (() => provider.erase(email)),
    reactivate: can.reactivation && (() => provider.reactivate(target)),
    importConfirmed: can.imports &&
      (() => provider.importConfirmed(target, { tags: [], confirmedAt: Date.UTC(2026, 0, 2) })),
    sendTriggered: can.triggered &&
      (() => provider.sendTriggered({ template: "1", emails: [email], data: {} })),
    sendTransactional: can.transactional &&
      (() => provider.sendTransactional({ template: "1", email, data: {} })),
    contact: can.contacts && (() => provider.contact(email)),
    saveContact: can.contacts && (() => provider.saveContact(email, { tags: ["a"], properties: {} })),
    lists: () => provider.lists(),
    connection: () => provider.connection(),
    getWebhook: can.webhook && (() => provider.getWebhook()),
    setWebhook: can.webhook &&
      (() => provider.setWebhook({ url: "https://own.example/hook", secretKey: h.apiKey })),
    template: can.templates && (() => provider.template("1")),
    changed: can.listsChanged && (() => provider.changed(target.list, 0)),
    unconfirmed: can.listsUnconfirmed && (() => provider.unconfirmed(target.list)),
  };
  const results: [string, { kind: string }][] = [];
  for (const [name, call] of Object.entries(calls)) if (call) results.push([name, await call()]);
  return results;
}
