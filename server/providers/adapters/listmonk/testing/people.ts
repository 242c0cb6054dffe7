/** The people of a listmonk double, who are found without a search through all of them. */

export interface Membership {
  status: "unconfirmed" | "confirmed" | "unsubscribed";
  changedAt: Date;
}

export interface Person {
  id: number;
  email: string;
  name: string;
  status: "enabled" | "disabled" | "blocklisted";
  attribs: Record<string, unknown>;
  memberships: Map<number, Membership>;
}

export interface People {
  /** In the order in which they were added. */
  all(): Person[];
  size(): number;
  /** Adds a person, whose address is in lower case. */
  add(person: Person): void;
  rename(person: Person, name: string): void;
  remove(id: number): void;
  byId(id: number): Person | undefined;
  byEmail(email: string): Person | undefined;
  /** Returns the people whose address or name matches a regular expression, as listmonk's search does. */
  matching(search: string): Person[];
}

export function createPeople(): People {
  const byId = new Map<number, Person>();
  const byEmail = new Map<string, Person>();
  const byName = new Map<string, Set<Person>>();

  function addName(person: Person): void {
    const name = person.name.toLowerCase();
    byName.set(name, (byName.get(name) ?? new Set()).add(person));
  }
  const removeName = (person: Person) => byName.get(person.name.toLowerCase())?.delete(person);

  return {
    all: () => [...byId.values()],
    size: () => byId.size,
    add(person) {
      byId.set(person.id, person);
      byEmail.set(person.email, person);
      addName(person);
    },
    rename(person, name) {
      removeName(person);
      person.name = name;
      addName(person);
    },
    remove(id) {
      const person = byId.get(id);
      if (!person) return;
      byId.delete(id);
      byEmail.delete(person.email);
      removeName(person);
    },
    byId: (id) => byId.get(id),
    byEmail: (email) => byEmail.get(email.toLowerCase()),
    matching(search) {
      const text = literalOf(search)?.toLowerCase();
      if (text === undefined) {
        const pattern = new RegExp(search, "i");
        return [...byId.values()].filter(({ email, name }) => pattern.test(email) || pattern.test(name));
      }
      const person = byEmail.get(text);
      return [...new Set([...(person ? [person] : []), ...(byName.get(text) ?? [])])];
    },
  };
}

/** Returns the only text that a pattern such as `^ada@example\.com$` matches; undefined for any other pattern. */
function literalOf(pattern: string): string | undefined {
  const [, escaped] = /^\^((?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])*)\$$/.exec(pattern) ?? [];
  return escaped?.replace(/\\(.)/g, "$1");
}
