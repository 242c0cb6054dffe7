import type { Capabilities } from "../port/capabilities.ts";
import type { Provider, Target } from "../port/port.ts";

/** What the calls of the port are about. */
export interface CallArguments {
  target: Target;
  /** ID of a template for transactional and triggered emails. */
  template: string;
  /** The API key, which the provider may have to send with its webhook calls. */
  secretKey: string;
  signal?: AbortSignal;
}

/** One call of the port, as tests make it. */
export interface PortCall {
  /** The kind of its result if everything works. */
  expectedKind: string;
  /** The capability that it needs; without it, the adapter sends no request. */
  needs?: keyof Capabilities;
  run(provider: Provider, given: CallArguments): Promise<{ kind: string }>;
}

const proof = { tags: [], confirmedAt: Date.UTC(2025, 0, 2) };

/** Every call of the port that can send a request, by name. */
export const PORT_CALLS = {
  subscribe: {
    expectedKind: "accepted",
    run: (provider, { target }) => provider.subscribe(target, { tags: [] }),
  },
  status: {
    expectedKind: "found",
    run: (provider, { target, signal }) => provider.status(target, signal),
  },
  resend: {
    expectedKind: "sent",
    needs: "resend",
    run: (provider, { target }) => provider.resend(target),
  },
  erase: {
    expectedKind: "erased",
    needs: "erasure",
    run: (provider, { target, signal }) => provider.erase(target.email, signal),
  },
  reactivate: {
    expectedKind: "active",
    needs: "reactivation",
    run: (provider, { target, signal }) => provider.reactivate(target, signal),
  },
  importConfirmed: {
    expectedKind: "imported",
    needs: "imports",
    run: (provider, { target, signal }) => provider.importConfirmed(target, proof, signal),
  },
  sendTriggered: {
    expectedKind: "sent",
    needs: "triggered",
    run: (provider, { target, template, signal }) =>
      provider.sendTriggered({ template, emails: [target.email], data: {} }, signal),
  },
  sendTransactional: {
    expectedKind: "sent",
    needs: "transactional",
    run: (provider, { target: { email }, template, signal }) =>
      provider.sendTransactional({ template, email, data: {} }, signal),
  },
  contact: {
    expectedKind: "found",
    needs: "contacts",
    run: (provider, { target, signal }) => provider.contact(target.email, signal),
  },
  saveContact: {
    expectedKind: "saved",
    needs: "contacts",
    run: (provider, { target, signal }) =>
      provider.saveContact(target.email, { tags: ["a"], properties: {} }, signal),
  },
  lists: { expectedKind: "lists", run: (provider) => provider.lists() },
  connection: { expectedKind: "connected", run: (provider) => provider.connection() },
  template: {
    expectedKind: "found",
    needs: "templates",
    run: (provider, { template }) => provider.template(template),
  },
  getWebhook: { expectedKind: "webhook", needs: "webhook", run: (provider) => provider.getWebhook() },
  setWebhook: {
    expectedKind: "registered",
    needs: "webhook",
    run: (provider, { secretKey }) =>
      provider.setWebhook({ url: "https://own.example/hook", secretKey, replace: true }),
  },
  changed: {
    expectedKind: "page",
    needs: "listsChanged",
    run: (provider, { target }) => provider.changed(target.list, 0),
  },
  unconfirmed: {
    expectedKind: "page",
    needs: "listsUnconfirmed",
    run: (provider, { target }) => provider.unconfirmed(target.list),
  },
} as const satisfies Record<string, PortCall>;

export type PortCallName = keyof typeof PORT_CALLS;

/** Returns the names of the calls that the provider has, by whether it has the capability that they need. */
export function callNames(provider: Provider, isCapable: boolean): PortCallName[] {
  return Object.entries<PortCall>(PORT_CALLS).flatMap(([name, { needs }]) => {
    const can = needs === undefined || provider.capabilities[needs] === true;
    return can === isCapable ? [name as PortCallName] : [];
  });
}
