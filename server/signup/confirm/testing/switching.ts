import type { Clock } from "../../../platform/deps.ts";
import type { Layer } from "../../../settings/store/precedence.ts";
import { type Harness, harness, LIST } from "../../../../dev/testing/harness.ts";
import { type StubProvider, stubProvider } from "../../../../dev/testing/stub_provider.ts";

export const ADA = "ada@example.com";
export const NEW_LIST = "new-list";

/** The settings of each provider, and its default list. */
const PROVIDERS: Record<string, { list: string; key: Record<string, string> }> = {
  bluefox: { list: LIST, key: { projectId: "p1", apiKey: "bluefox-key" } },
  mailerlite: { list: NEW_LIST, key: { mailerliteApiKey: "mailerlite-key" } },
  sandbox: { list: LIST, key: {} },
  listmonk: { list: "3", key: { listmonkUrl: "https://lists.example", listmonkToken: "listmonk-token" } },
};

export interface Switching extends AsyncDisposable {
  app: Harness;
  /** BlueFox, which is chosen first. */
  old: StubProvider;
  /** MailerLite. */
  fresh: StubProvider;
}

/** Starts with BlueFox as provider. */
export async function switching(settings: Layer = {}): Promise<Switching> {
  // The clock of the program, which exists only after its providers.
  const clock: Clock = {
    now: () => app.clock.now(),
    sleep: (...args) => app.clock.sleep(...args),
  };
  const [old, fresh, third] = [stubProvider(clock), stubProvider(clock), stubProvider(clock)];
  const app: Harness = await harness({
    settings,
    others: { bluefox: old, mailerlite: fresh, listmonk: third },
  });
  const world = { app, old, fresh, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  await choose(world, "bluefox");
  return world;
}

/** Chooses a provider, with its key and its default list, as an admin does. */
export async function choose(
  { app: { services } }: Pick<Switching, "app">,
  provider: string,
  list = PROVIDERS[provider]!.list,
): Promise<void> {
  await services.settings.save("general", { provider, defaultList: list, ...PROVIDERS[provider]!.key });
  await services.providerHistory.note();
}

/** Signs up on the default list and runs the delivery. */
export async function signUp({ app }: Pick<Switching, "app">, email: string): Promise<void> {
  await (await app.post({ email })).body?.cancel();
  await app.work();
}
