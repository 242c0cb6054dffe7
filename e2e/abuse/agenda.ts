/** What happens at which time, in milliseconds since the begin. What happens may add more. */
export class Agenda {
  #entries: { at: number; happen: () => Promise<void> }[] = [];
  #numbers = 0;

  add(at: number, happen: () => Promise<void>): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#entries[middle]!.at >= at) low = middle + 1;
      else high = middle;
    }
    // The latest first, so that the next one is taken from the end.
    this.#entries.splice(low, 0, { at, happen });
  }

  /** Returns a number that it has not returned before. */
  next(): number {
    return ++this.#numbers;
  }

  /** Lets everything happen until a time. @param pass lets time pass until something happens */
  async run(until: number, pass: (at: number) => Promise<void>): Promise<void> {
    for (let entry = this.#entries.pop(); entry && entry.at <= until; entry = this.#entries.pop()) {
      await pass(entry.at);
      await entry.happen();
    }
  }
}
