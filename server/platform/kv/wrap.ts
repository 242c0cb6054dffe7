/**
 * Returns `inner` with some of its members replaced, also by undefined; the others still run on `inner` itself, whatever
 * they are at the time of the call. A member that is assigned later is replaced too, so that no replacement ever calls
 * itself. No `Proxy`, because each signup reads some hundred members of wrapped databases.
 */
export function wrap<T extends object>(inner: T, replaced: Partial<Record<keyof T, unknown>>): T {
  const wrapped = {};
  for (const name of membersOf(inner)) Object.defineProperty(wrapped, name, passedOn(inner, name as keyof T));
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(replaced)) as T;
}

function passedOn<T extends object>(inner: T, name: keyof T): PropertyDescriptor & ThisType<T> {
  return {
    configurable: true,
    enumerable: true,
    get() {
      const member = inner[name];
      return typeof member === "function" ? member.bind(inner) : member;
    },
    set(value) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
    },
  };
}

/** Returns the names of an object's members, those of its classes included. */
function membersOf(object: object): Set<PropertyKey> {
  const names = new Set<PropertyKey>();
  for (let of = object; of !== Object.prototype && of !== null; of = Object.getPrototypeOf(of)) {
    for (const name of Reflect.ownKeys(of)) if (name !== "constructor") names.add(name);
  }
  return names;
}
