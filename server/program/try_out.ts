import type { Hono } from "hono";
import { NAMESPACE } from "../../shared/contract.ts";
import { mayChangeSettings } from "../admin/auth/identify.ts";
import { type Config, isLoopback } from "../platform/config/config.ts";
import type { Kv } from "../platform/kv/port.ts";
import type { Poll } from "../signup/confirm/poll.ts";
import { isLocalRequest } from "../platform/http/visitor/local_request.ts";
import { newestSignup } from "../sandbox/demo/newest_signup.ts";
import type { Clock, Log, Random } from "../platform/deps.ts";
import type { Keyring } from "../platform/keys/keyring.ts";
import { signTestConfig } from "../forms/public/test_form.ts";
import { heightsOfForm } from "../forms/public/heights_of_form.ts";
import { transport } from "../platform/http/outbound/transport.ts";
import type { Provider } from "../providers/port/port.ts";
import { createSandbox, type Sandbox } from "../sandbox/sandbox.ts";
import type { SettingsStore } from "../settings/store/store.ts";
import type { Layer } from "../settings/store/precedence.ts";

/** The services that the demo page needs. */
type Shown = Parameters<typeof newestSignup>[0] & Parameters<typeof mayChangeSettings>[0] & {
  poll: Poll;
  keyring: Keyring;
  settings: SettingsStore;
};

/** The parts for trying out cfbe: the sandbox in place of a provider, and the demo page. */
export interface TryOut {
  sandbox: Sandbox;
  /** The sandbox's own project and API key, as its adapter reads them. They are not settings of an admin. */
  readonly account: { projectId: string; apiKey: string };
  /** Default lists, form and templates, enough for a complete signup. Any other configuration takes precedence. */
  readonly settings: Layer;
  /** Reads account and lists again, after a backup with other ones was restored. */
  reload(): Promise<void>;
  /** Registers this service's webhook with the sandbox at the first start. */
  connect(services: { settings: SettingsStore }, provider: Provider): Promise<void>;
  /** Routes, loaded at their first request. */
  mounts(services: Shown): { path: string; load: () => Promise<Hono> }[];
}

export async function openTryOut(
  outside: { config: Config; kv: Kv; clock: Clock; random: Random; log: Log },
): Promise<TryOut> {
  const { config, clock, log } = outside;
  const { baseUrl } = config;
  let mayOpen = (_: Request): Promise<boolean> => Promise.resolve(false);
  /**
   * The pages show every address, so they are for this machine while the service is local, and otherwise for
   * admins (decision 33).
   */
  const allowed = (request: Request, peer: string | undefined) =>
    (isLoopback(baseUrl) && isLocalRequest(request.headers, peer)) || mayOpen(request);

  const sandbox = createSandbox({ ...outside, fetch: transport, baseUrl, allowed });
  let provisioned = await sandbox.provision();

  return {
    sandbox,
    get account() {
      const { project: projectId, apiKey } = provisioned;
      return { projectId, apiKey };
    },
    get settings() {
      const { list: defaultList, lists: knownLists } = provisioned;
      return {
        general: { defaultList, knownLists },
        forms: { forms: [{ name: "footer", layout: "inline" }] },
        // The sandbox has no templates. It shows the data that a template would get.
        carts: { template: "abandoned-cart" },
        coupon: { template: "welcome-coupon" },
        orders: { templates: { processing: "order-processing", completed: "order-completed" } },
      };
    },
    async reload() {
      provisioned = await sandbox.provision();
    },
    async connect({ settings }, provider) {
      const url = `${baseUrl}${NAMESPACE}/provider-hook`;
      const { registeredUrl } = settings.current().webhooks;
      const there = await provider.getWebhook();
      const registered = there.kind === "webhook" ? there.webhook?.url : undefined;
      // Our webhook at a former URL is moved to the current one. A removed webhook stays removed, to try polling.
      if (registered === url || (registeredUrl !== "" && registered !== registeredUrl)) return;
      const set = await provider.setWebhook({
        url,
        secretKey: provisioned.apiKey,
        replace: true,
      });
      if (set.kind !== "registered") return log.warn("sandbox.webhook_not_registered", { result: set });
      await settings.save("webhooks", { registeredUrl: url, registeredAt: clock.now() });
    },
    mounts(services) {
      mayOpen = (request) => mayChangeSettings(services, request);
      const mailTo = async (email: string, since: number) => {
        const mail = await sandbox.lastMailTo(email);
        return mail && mail.at >= since ? mail : undefined;
      };
      const demo = async () =>
        (await import("../sandbox/demo/demo.ts")).createDemo({
          baseUrl,
          clock,
          log,
          allowed,
          sandbox: true,
          journey: newestSignup(services, mailTo),
          testConfig: (form) => signTestConfig(services.keyring, services.settings.current(), form),
          heightsOf(name, texts) {
            return heightsOfForm(services.settings.current(), { name }, ["en"], clock.now(), texts);
          },
          pollNow: async () => void await services.poll.run(),
        });
      return [{ path: "/sandbox", load: () => Promise.resolve(sandbox.app) }, { path: "/demo", load: demo }];
    },
  };
}
