import type { Exchange } from "../../server/providers/testing/record_exchanges.ts";
import type { VendorSpec } from "../../server/providers/testing/vendor_spec.ts";
import type { Recordings } from "./recordings.ts";
import type { Operation } from "./specification.ts";

/** What was found in the exchanges of one provider. */
export interface Findings {
  exchanges: number;
  /** Number of operations used and, of these, described by the vendor. */
  operations: { used: number; described: number };
  /** Number of bodies validated against a schema or a recording. */
  validated: number;
  /** What is wrong or not described, without a listed reason: each with an example. */
  faults: Map<string, string>;
  /** Listed reasons that were needed. */
  excused: Set<string>;
  /** Listed reasons that were not. */
  unused: string[];
}

/** Checks what an adapter sent and its double responded against what the vendor publishes. */
export function checkExchanges(
  exchanges: readonly Exchange[],
  { operations, recordings }: { operations: readonly Operation[]; recordings: Recordings },
  { basePath = "", reasons }: Pick<VendorSpec, "basePath" | "reasons">,
): Findings {
  const used = new Set<string>();
  const described = new Set<string>();
  const faults = new Map<string, string>();
  const excused = new Set<string>();
  let validated = 0;
  const report = (what: string, example: string) => {
    if (Object.hasOwn(reasons, what)) excused.add(what);
    else if (!faults.has(what)) faults.set(what, example);
  };

  for (const exchange of exchanges) {
    const path = exchange.path.startsWith(basePath) ? exchange.path.slice(basePath.length) : exchange.path;
    const found = find(operations, exchange.method, path);
    const known = Object.keys(reasons).find((reason) => fits(reason, `${exchange.method} ${path}`));
    // A listed path such as `/people/lists` is not the described `/people/{id}`, although it fits.
    const isOther = found && known !== undefined && parameters(known) < parameters(found.path);
    const operation = isOther ? undefined : found;
    const name = operation ? `${operation.method} ${operation.path}` : known ?? `${exchange.method} ${path}`;
    used.add(name);
    if (operation) described.add(name);
    else report(name, "the operation is not described");

    const request = parse(exchange.request);
    const response = parse(exchange.response);
    if (operation) {
      for (const fault of queryFaults(operation, exchange.query)) report(`${name} query`, fault);
      if (request !== undefined) {
        const found = operation.checkRequest(request, exchange.request.type);
        if (found) validated++;
        for (const fault of found ?? ["the body is not described"]) report(`${name} request`, fault);
      }
    }
    const compared = recordings.differences(exchange, response);
    const checked = operation?.checkResponse(exchange.status, response, exchange.response.type);
    if (compared ?? checked) validated++;
    for (const fault of compared ?? []) report(`${name} ${exchange.status} recording`, fault);
    for (const fault of checked ?? []) report(`${name} ${exchange.status} response`, fault);
    if (operation && !compared && !checked) {
      report(`${name} ${exchange.status} response`, "the status or its body is not described");
    }
  }
  return {
    exchanges: exchanges.length,
    operations: { used: used.size, described: described.size },
    validated,
    faults,
    excused,
    unused: Object.keys(reasons).filter((reason) => !excused.has(reason)),
  };
}

/** Returns the operation with that path; one without parameters first. */
function find(operations: readonly Operation[], method: string, path: string): Operation | undefined {
  return operations.filter((operation) =>
    operation.method === method && fits(`${method} ${operation.path}`, `${method} ${path}`)
  ).toSorted((a, b) => parameters(a.path) - parameters(b.path))[0];
}

const parameters = (template: string) => template.split("{").length - 1;

/** Returns whether a path fits a template with parameters in braces. */
function fits(template: string, path: string): boolean {
  const [wanted, found] = [template.split("/"), path.split("/")];
  return wanted.length === found.length &&
    wanted.every((part, at) => /^\{.*\}$/.test(part) ? found[at] !== "" : part === found[at]);
}

function queryFaults({ query }: Operation, sent: Exchange["query"]): string[] {
  const names = sent.map(([name]) => name);
  return [
    ...names.filter((name) => !query.has(name) && !query.has(name.replace(/\[\]$/, "")))
      .map((name) => `the parameter ${name} is not described`),
    ...[...query].filter(([name, { required }]) => required && !names.includes(name))
      .map(([name]) => `the parameter ${name} is required`),
  ];
}

/** Parses JSON and forms; other bodies stay text. */
function parse({ type, text }: Exchange["request"]): unknown {
  if (text === "") return undefined;
  if (/\bjson$/.test(type)) return JSON.parse(text);
  if (type === "application/x-www-form-urlencoded") return Object.fromEntries(new URLSearchParams(text));
  return text;
}
