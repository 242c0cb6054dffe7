import assert from "node:assert/strict";
import { ask, systemIo } from "./io.ts";

/** Asks at a terminal at which `typed` is entered. Returns the answer, what is shown and what was not read. */
function asked(typed: string, isTerminal = true) {
  const rest = [...new TextEncoder().encode(typed)];
  const shown: string[] = [];
  const answer = ask("Erase ann@example.com?", {
    input: {
      isTerminal: () => isTerminal,
      readSync(bytes) {
        const read = rest.splice(0, bytes.length);
        bytes.set(read);
        return read.length || null;
      },
    },
    output: {
      writeSync(bytes) {
        shown.push(new TextDecoder().decode(bytes));
        return bytes.length;
      },
    },
  });
  return { answer, shown: shown.join(""), rest: new TextDecoder().decode(Uint8Array.from(rest)) };
}

Deno.test("only yes confirms, and an empty answer or the end of the input does not", () => {
  for (const typed of ["y\n", "Y\n", "yes\r\n", " Yes \n", "y"]) {
    assert.equal(asked(typed).answer, true, typed);
  }
  for (const typed of ["\n", "", "n\n", "no\n", "yesterday\n", "ü\n", "\ny\n"]) {
    assert.equal(asked(typed).answer, false, typed);
  }
  assert.deepEqual(asked("y\nnext"), { answer: true, shown: "Erase ann@example.com? [y/N] ", rest: "next" });
});

Deno.test("without a terminal, nothing is asked and nothing is read", () => {
  assert.deepEqual(asked("y\n", false), { answer: undefined, shown: "", rest: "y\n" });
});

Deno.test("a command asks for confirmation on standard error, so that a file of its results has no question", () => {
  const shown = { stdout: "", stderr: "" };
  const typed = [...new TextEncoder().encode("y\n")];
  // Restored before any other test can run: `confirm` does not wait.
  const restore = [
    replace(Deno.stdin, "isTerminal", () => true),
    replace(Deno.stdin, "readSync", (bytes) => {
      bytes[0] = typed.shift()!;
      return 1;
    }),
    ...(["stdout", "stderr"] as const).map((name) =>
      replace(Deno[name], "writeSync", (bytes) => {
        shown[name] += new TextDecoder().decode(bytes);
        return bytes.length;
      })
    ),
  ];
  try {
    assert.equal(systemIo().confirm("Stop?"), true);
  } finally {
    for (const each of restore) each();
  }
  assert.deepEqual(shown, { stdout: "", stderr: "Stop? [y/N] " });
});

/** Replaces a method, and returns the function that brings it back. */
function replace<T extends object, K extends keyof T>(object: T, name: K, method: T[K]): () => void {
  const own = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value: method, configurable: true, writable: true });
  return () => own ? Object.defineProperty(object, name, own) : void Reflect.deleteProperty(object, name);
}
