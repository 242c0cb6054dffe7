import fc from "fast-check";
import { testSize } from "./test_size.ts";

/** How many inputs a run of the fuzz tests makes (`deno task test:fuzz`), and from which seed. */
export const FUZZ = {
  inputs: testSize("CFBE_TEST_FUZZ_INPUTS", 20_000),
  seed: testSize("CFBE_TEST_FUZZ_SEED", 1),
};

const ODD = [
  ..."\0\n\r\t \\\"'<>&%#?/.,;:=@+-_[]{}()*|^`~",
  ...["\ud800", "\u202e", "\ufeff", "ß", "İ", "𝒳", "１", "\u200b"],
  ...[
    "__proto__",
    "constructor",
    "null",
    "true",
    "-0",
    "1e999",
    "9".repeat(25),
    "a".repeat(300),
    "[".repeat(200),
  ],
];
const piece = fc.oneof(fc.constantFrom(...ODD), fc.string({ maxLength: 4, unit: "binary" }));

interface Change {
  at: number;
  length: number;
  insert: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof({ weight: 3, arbitrary: fc.nat(3) }, fc.nat(400)),
  insert: fc.oneof({ weight: 3, arbitrary: piece }, fc.constant("")),
});

/** Returns texts that are valid but for a few changes: these reach further into a parser than random ones. */
export function nearText(...samples: [string, ...string[]]): fc.Arbitrary<string> {
  const changed = fc.tuple(fc.constantFrom(...samples), fc.array(change, { maxLength: 3 })).map((
    [sample, changes],
  ) =>
    changes.reduce((text, { at, length, insert }) => {
      const from = Math.floor(at * (text.length + 1));
      return text.slice(0, from) + insert + text.slice(from + length);
    }, sample)
  );
  return fc.oneof({ weight: 5, arbitrary: changed }, fc.string({ unit: "binary", maxLength: 200 }), piece);
}

/** Returns bytes that are valid but for a few changes. */
export function nearBytes(...samples: [Uint8Array, ...Uint8Array[]]): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.nat(255) });
  const cut = fc.double({ min: 0, max: 1, noNaN: true });
  const changed = fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 }), fc.option(cut))
    .map(([sample, edits, end]) => {
      const bytes = sample.slice(0, end === null ? undefined : Math.floor(end * sample.length));
      for (const { at, value } of edits) if (bytes.length > 0) bytes[Math.floor(at * bytes.length)] = value;
      return bytes as Uint8Array<ArrayBuffer>;
    });
  return fc.oneof(
    { weight: 5, arbitrary: changed },
    fc.uint8Array({ maxLength: 200 }) as fc.Arbitrary<Uint8Array<ArrayBuffer>>,
  );
}

/** Returns values that are valid but for a few members, which are missing or of any type. */
export function nearValue(sample: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    fc.constantFrom<unknown>(null, "", 0, -1, 1e308, [], {}, true, "x".repeat(300), "<script>", "__proto__"),
    fc.anything({ maxDepth: 2 }),
  );
  const near = (value: unknown): fc.Arbitrary<unknown> => {
    const whole = Array.isArray(value)
      ? fc.tuple(...value.map(near)).chain((items) =>
        fc.constantFrom(items, items.slice(1), [...items, ...items])
      )
      : typeof value === "object" && value !== null
      ? fc.record(
        Object.fromEntries(Object.entries(value).map(([name, member]) => [name, near(member)])),
        { requiredKeys: [], noNullPrototype: true },
      )
      : typeof value === "string"
      ? nearText(value)
      : fc.constant(value);
    return fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, { weight: 6, arbitrary: whole }, other);
  };
  return near(sample);
}
