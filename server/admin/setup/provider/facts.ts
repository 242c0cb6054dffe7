import { isLoopback } from "../../../platform/config/config.ts";
import { keys } from "../../../platform/kv/keys.ts";
import type { Kv } from "../../../platform/kv/port.ts";
import { siteDay } from "../../../settings/schema/time_zone.ts";
import { funnelOf } from "../../../platform/observe/funnel.ts";
import { chosenLists, otherListsSource } from "../../../operations/provider/lists.ts";
import { readProviderChecks } from "../../../operations/provider/latest_tests.ts";
import { readTestSignup, type TestSignup } from "../../../operations/remote/test_signup.ts";
import { type WebhookState, webhookState } from "../../../operations/provider/webhook.ts";
import type { Capabilities } from "../../../providers/port/capabilities.ts";
import type { ProviderModule } from "../../../providers/module.ts";
import { SANDBOX } from "../../../providers/providers.ts";
import { missingFields, moduleNamed, withProvider } from "../../../settings/store/provider.ts";
import type { Settings } from "../../../settings/schema/schema.ts";
import { TEST_FORM } from "../../../forms/public/test_form.ts";
import { lockedBy } from "../../frame/setting_lock.ts";
import type { AdminServices } from "../../frame/services.ts";
import type { View } from "../../frame/view.ts";
import { type Connection, connectionOf } from "./connection_state.ts";

type KnownLists = Readonly<Settings["general"]["knownLists"]>;

/** What the steps of the Provider page are derived from. */
export interface SetupFacts {
  /** Name of the provider that the page sets up, as in `general.provider`. */
  name: string;
  title: string;
  module: ProviderModule;
  settings: Settings;
  capabilities: Capabilities;
  isSandbox: boolean;
  /** Title of the provider that signups go to, if it is another one. */
  other: string | undefined;
  /** Nouns of the required settings that are not set. */
  missing: string[];
  connection: Connection;
  /** The provider's lists: those of the settings, or those just read if the provider is not in use yet. */
  lists: KnownLists;
  /** Those of them that forms, the popup, the checkout or the coupons use. */
  usedLists: KnownLists;
  /** Title of the provider that the known lists were loaded from, if that is not the one in use. */
  listsOf: string | undefined;
  /** Why the lists could not be read. */
  listTrouble: string | undefined;
  /** Name of the default list, or its ID if it is unknown; empty if none is chosen. */
  defaultList: string;
  /** Undefined until the connection works. */
  webhook: WebhookState | undefined;
  /** The provider cannot reach this service. */
  unreachable: boolean;
  test: {
    /** The test signup that the page follows. */
    followed: (TestSignup & { email: string }) | undefined;
    sentAt: number | undefined;
    /** A test signup was confirmed since then. */
    confirmed: boolean;
  };
}

/** Reads the facts about the provider in the query, or about the one in use. */
export async function readSetupFacts(
  view: View<"kv" | "keyring" | "provider" | "providerNamed" | "counters" | "health">,
): Promise<SetupFacts> {
  const { app } = view;
  const settings = app.settings.current();
  const used = settings.general.provider;
  const name = chosenIn(view);
  const inUse = name === used;
  const module = moduleNamed(name, app.settings.providers)!;
  const provider = inUse ? app.provider : app.providerNamed(name)!;
  const missing = missingFields(withProvider(settings, name), app.settings.providers);
  const [checks, health] = await Promise.all([readProviderChecks(app, name), app.health.read()]);
  const isSandbox = name === SANDBOX;
  const connection = connectionOf(name, checks.connection, inUse ? health : undefined);
  const works = connection.state === "works" && missing.length === 0;
  const [found, listsSource, webhook, test] = await Promise.all([
    inUse || !works ? undefined : provider.lists(),
    inUse ? otherListsSource(app) : undefined,
    inUse && works ? webhookState(app) : undefined,
    testFacts(view, checks.testSignup?.at, inUse),
  ]);
  const { knownLists, defaultList } = settings.general;
  const own = listsSource === undefined ? knownLists : [];
  const lists = inUse ? own : found?.kind === "lists" ? found.lists : [];
  return {
    name,
    title: isSandbox ? "Sandbox" : module.title,
    module,
    settings,
    capabilities: provider.capabilities,
    isSandbox,
    other: inUse ? undefined : titleOf(app, used),
    missing: isSandbox ? [] : missing.map(([, { noun }]) => noun),
    connection,
    lists,
    usedLists: inUse ? lists.filter(({ id }) => chosenLists(settings).has(id)) : [],
    listsOf: listsSource && titleOf(app, listsSource),
    listTrouble: found?.kind === "trouble" ? found.reason : undefined,
    defaultList: inUse ? lists.find(({ id }) => id === defaultList)?.name ?? defaultList : "",
    webhook,
    unreachable: !isSandbox && isLoopback(app.config.baseUrl),
    test,
  };
}

/** Returns how a sentence names a provider; its name if this version does not know it. */
function titleOf({ settings }: Pick<AdminServices, "settings">, name: string): string {
  return name === SANDBOX ? "the sandbox" : moduleNamed(name, settings.providers)?.title ?? name;
}

/** Returns the provider in the query if it can be chosen, or else the one in use. */
function chosenIn({ app, query }: View<"providerNamed">): string {
  const { settings } = app;
  const wanted = query.get("provider") ?? "";
  const canChoose = Object.hasOwn(settings.providers, wanted) && app.providerNamed(wanted) !== undefined &&
    lockedBy(app, "general.provider") === undefined;
  return canChoose ? wanted : settings.current().general.provider;
}

async function testFacts(
  view: View<"kv" | "counters">,
  sentAt: number | undefined,
  inUse: boolean,
): Promise<SetupFacts["test"]> {
  const { app, query, now } = view;
  const email = inUse && view.may("personal") ? query.get("email") ?? "" : "";
  const followed = email === "" ? undefined : await readTestSignup(app, email);
  const dayOf = (at: number) => siteDay(app.settings.current(), at);
  const confirmed = inUse && sentAt !== undefined && followed === undefined &&
    await wasConfirmedSince(app, dayOf(sentAt), dayOf(now) + 1);
  return { followed: followed && { ...followed, email }, sentAt: inUse ? sentAt : undefined, confirmed };
}

/** Returns whether a test signup was confirmed on one of the days. */
async function wasConfirmedSince(
  { counters }: Pick<AdminServices, "counters">,
  from: number,
  until: number,
): Promise<boolean> {
  const counts = await counters.days(from, until);
  return funnelOf(counts, { from, until, form: TEST_FORM }).confirmed > 0;
}

const MOST_COUNTED = 100;

/** Returns how many signups have a status, at most 100. */
export async function countUpTo100(kv: Kv, status: "queued" | "pending"): Promise<number> {
  const rows = await Array.fromAsync(kv.list({ prefix: keys.byStatusAll(status) }, { limit: MOST_COUNTED }));
  return rows.length;
}
