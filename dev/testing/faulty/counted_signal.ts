/** A signal that counts its listeners. */
export interface CountedSignal {
  signal: AbortSignal;
  readonly listeners: number;
  abort(): void;
}

export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => {
    listeners.add(args[1]);
    Reflect.apply(addEventListener, signal, args);
  };
  signal.removeEventListener = (...args: unknown[]) => {
    listeners.delete(args[1]);
    Reflect.apply(removeEventListener, signal, args);
  };
  return {
    signal,
    get listeners() {
      return listeners.size;
    },
    abort: () => controller.abort(),
  };
}
