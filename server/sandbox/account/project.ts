import { cas } from "../../platform/kv/cas.ts";
import { readRow } from "../../platform/kv/key.ts";
import { keys } from "../../platform/kv/keys.ts";
import type { Kv } from "../../platform/kv/port.ts";
import { type Context, newId, newSecret } from "./context.ts";
import { listKey, type ListRow, projectKey, type ProjectRow } from "./rows.ts";

/** What the service needs in order to call the sandbox. */
export interface Provisioned {
  project: string;
  apiKey: string;
  /** ID of the double opt-in list, which is the default list. */
  list: string;
  lists: { id: string; name: string; doubleOptIn: boolean }[];
}

const LISTS = [
  { name: "Newsletter", doubleOptIn: true },
  { name: "Single opt-in", doubleOptIn: false },
];

/**
 * Creates the sandbox's project, API key and two lists at the first call. Later and concurrent calls return
 * the same.
 */
export async function provision(context: Context): Promise<Provisioned> {
  const { kv, clock, random } = context;
  const now = clock.now();
  const project: ProjectRow = {
    v: 1,
    id: newId(random),
    apiKey: newSecret(random),
    name: "cfbe sandbox",
    createdAt: now,
  };
  // One millisecond apart, so that the default list comes first when sorted by age.
  const lists = LISTS.map((list, index): ListRow => ({
    v: 1,
    id: newId(random),
    ...list,
    private: false,
    createdAt: now + index,
  }));
  await cas(kv, { made: projectKey() }, ({ made }) => {
    if (made.value) return { value: undefined };
    return {
      value: undefined,
      write(tx) {
        tx.set(projectKey(), project);
        for (const list of lists) tx.set(listKey(list.id), list);
      },
    };
  }, { clock, random });
  const [kept, all] = await Promise.all([readProject(kv), readLists(kv)]);
  const first = all.find((list) => list.doubleOptIn);
  if (!kept || !first) {
    throw new Error("the sandbox's project or its double opt-in list is missing from the database");
  }
  return {
    project: kept.id,
    apiKey: kept.apiKey,
    list: first.id,
    lists: all.map(({ id, name, doubleOptIn }) => ({ id, name, doubleOptIn })),
  };
}

export function readProject(kv: Kv): Promise<ProjectRow | null> {
  return readRow(kv, projectKey());
}

/** Returns all lists, oldest first. */
export async function readLists(kv: Kv): Promise<ListRow[]> {
  const lists = await Array.fromAsync(
    kv.list<ListRow>({ prefix: keys.sandboxLists() }),
    (entry) => entry.value,
  );
  return lists.sort((a, b) => a.createdAt - b.createdAt);
}
