/**
 * Returns `inner` with some of its members replaced, also by undefined; the others still run on `inner` itself. A member
 * that is assigned later is replaced too, so that no replacement ever calls itself.
 */
export function wrap<T extends object>(inner: T, replaced: Partial<Record<keyof T, unknown>>): T {
  return new Proxy(inner, {
    get(target, property) {
      if (Reflect.has(replaced, property)) return Reflect.get(replaced, property);
      const member: unknown = Reflect.get(target, property, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
    set: (_, property, value) => Reflect.set(replaced, property, value),
  });
}
