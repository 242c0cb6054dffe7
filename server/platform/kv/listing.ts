import { keySize, MOST_LIMITS } from "./limits.ts";
import {
  type Kv,
  type KvEntry,
  type KvKey,
  type KvListOptions,
  type KvListSelector,
  type KvPage,
  type KvPageOptions,
  UnreadableRow,
} from "./port.ts";

/** Returns the members of a database that read rows in the order of their keys by `page`. */
export function listing(page: Page): Pick<Kv, "page" | "list"> {
  return {
    page: page as Kv["page"],
    list: <T>(selector: KvListSelector, options: KvListOptions = {}) => new List<T>(page, selector, options),
  };
}

type Page = (selector: KvListSelector, options: KvPageOptions) => Promise<KvPage<unknown>>;

/** A list that has failed can go on: where it failed, or after a row that can't be read. */
class List<T> implements AsyncIterableIterator<KvEntry<T>, undefined> {
  #entries: readonly KvEntry<T>[] = [];
  #at = 0;
  #more = true;
  #left: number;
  /** What has not been read. */
  #selector: KvListSelector;
  readonly #page: Page;
  readonly #reverse: boolean;
  readonly #batchSize: number;

  constructor(
    page: Page,
    selector: KvListSelector,
    { limit = Infinity, reverse = false, batchSize = 100 }: KvListOptions,
  ) {
    this.#page = page;
    this.#selector = selector;
    this.#left = limit;
    this.#reverse = reverse;
    this.#batchSize = batchSize;
  }

  async next(): Promise<IteratorResult<KvEntry<T>, undefined>> {
    while (this.#at === this.#entries.length) {
      if (!this.#more || this.#left <= 0) return { done: true, value: undefined };
      await this.#read();
    }
    return { done: false, value: this.#entries[this.#at++]! };
  }

  async #read(): Promise<void> {
    const limit = Math.min(this.#batchSize, this.#left);
    try {
      const page = await this.#page(this.#selector, { limit, reverse: this.#reverse });
      const { entries, more } = page as KvPage<T>;
      [this.#entries, this.#at, this.#more] = [entries, 0, more];
      const last = entries.at(-1);
      if (last) this.#goOnAfter(last.key, entries.length);
    } catch (error) {
      if (error instanceof UnreadableRow) this.#goOnAfter(error.key, 1);
      throw error;
    }
  }

  #goOnAfter(key: KvKey, count: number): void {
    this.#left -= count;
    this.#selector = this.#reverse ? before(this.#selector, key) : after(this.#selector, key);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function before(selector: KvListSelector, key: KvKey): KvListSelector {
  return "start" in selector ? { start: selector.start, end: key } : { prefix: selector.prefix, end: key };
}

function after(selector: KvListSelector, key: KvKey): KvListSelector {
  const start = next(key);
  return "end" in selector ? { start, end: selector.end } : { prefix: selector.prefix, start };
}

/**
 * Returns the first key that can come after another one: it has one more part, the smallest of all, which takes two bytes.
 * Where a list starts may be one byte longer than the longest key. After a key that leaves room for one byte only, no key
 * has a part of two bytes, so that the start can have the smallest part of one byte.
 */
function next(key: KvKey): KvKey {
  return [...key, keySize(key) < MOST_LIMITS.keySize - 1 ? new Uint8Array() : 0n];
}
