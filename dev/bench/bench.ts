/** The measured program: this checkout, or the one of `--against`. */
export interface Checkout {
  /** Heading of its figures. */
  label: string;
  folder: string;
}

export interface Options {
  /** Shorter rounds and fewer of them, for a first look. */
  quick: boolean;
  /** How many signups the memory benchmark sends. */
  signups: number;
  /** How many stored records the search, pages and backup benchmarks read. */
  records: number;
  /** The database file of the pages benchmark, filled once and kept; by default a new one each time. */
  kv?: string;
}

/** Results of one round, by the keys of `figures.ts`. */
export type Results = Record<string, number>;

/** A benchmark that is ready to measure: everything is started and warm. */
export interface Opened extends AsyncDisposable {
  measure(): Promise<Results>;
}

export interface Bench {
  /** Number of rounds; each figure is their median. */
  rounds: number;
  open(checkout: Checkout, options: Options): Promise<Opened>;
}
