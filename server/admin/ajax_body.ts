/** What a plain form or a script sends to the door, taken apart. */
export interface Posted {
  action: string;
  nonce: string;
  /** Path of the page that the form is on, if it said. */
  page: string | undefined;
  /** What the action is to look at. */
  input: Record<string, unknown>;
  /** Not to be done but to be edited: a row is added to a list, or one is taken out. */
  edit?: { kind: "add" | "remove"; path: string };
}

const MOST_FIELDS = 5_000;
const PATH = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+){0,8}$/u;

/**
 * Read form fields as the tree that they name: `fields.popup.0.name` is a path. Text is all that a form knows, so a
 * name may say what it stands for: `n:` a number, `b:` a switch, `l:` one entry a line, `o:` nothing when empty
 * (`null`), `a:` a list, which is there also when no row of it is. What is no number stays text, for the schema to
 * refuse.
 *
 * @example
 * ```ts
 * readForm([["n:fields.days", "30"], ["b:fields.on", "false"], ["b:fields.on", "true"]]);
 * // input: { fields: { days: 30, on: true } }
 * ```
 */
export function readForm(pairs: Iterable<readonly [string, string]>): Posted {
  const posted: Posted = { action: "", nonce: "", page: undefined, input: {} };
  let count = 0;
  for (const [name, value] of pairs) {
    if (++count > MOST_FIELDS) break;
    if (name === "action") posted.action = value;
    else if (name === "_nonce") posted.nonce = value;
    else if (name === "_page") posted.page = value;
    else if (name === "_add") posted.edit = { kind: "add", path: value };
    else if (name === "_remove") posted.edit = { kind: "remove", path: value };
    else {
      const [, type = "", path = ""] = /^(?:([nbloa]):)?(.*)$/s.exec(name) ?? [];
      if (PATH.test(path)) put(posted.input, path.split("."), typed(type, value));
    }
  }
  // The whole is never a list, whatever its names are.
  posted.input = Object.fromEntries(
    Object.entries(posted.input).map(([name, value]) => [name, listed(value)]),
  );
  if (posted.edit) edit(posted.input, posted.edit);
  return posted;
}

/** The same of a JSON body: the names of the door's own are the same, everything else is the input. */
export function readJson(body: Record<string, unknown>): Posted {
  const { action, _nonce, _page, ...input } = body;
  const text = (value: unknown) => typeof value === "string" ? value : "";
  return { action: text(action), nonce: text(_nonce), page: text(_page) || undefined, input };
}

/** The value at a path, or undefined where there is none. */
export function at(tree: unknown, path: string): unknown {
  let value = tree;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function typed(type: string, value: string): unknown {
  switch (type) {
    case "n":
      return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
    case "b":
      return value === "true";
    case "l":
      return value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    case "o":
      return value.trim() === "" ? null : value;
    case "a":
      return [];
    default:
      return value;
  }
}

/** Marks a list while its rows are still being put in by their numbers. */
const LIST = Symbol("list");
type Node = Record<string, unknown> & { [LIST]?: true };

function put(tree: Node, path: string[], value: unknown): void {
  let node = tree;
  for (const step of path.slice(0, -1)) {
    const own = Object.hasOwn(node, step) ? node[step] : undefined;
    const next: Node = typeof own === "object" && own !== null && !Array.isArray(own) ? own as Node : {};
    Object.defineProperty(node, step, { value: next, enumerable: true, writable: true, configurable: true });
    node = next;
  }
  const last = path.at(-1)!;
  const empty = Array.isArray(value) && value.length === 0;
  const made = empty ? Object.defineProperty({}, LIST, { value: true }) : value;
  Object.defineProperty(node, last, { value: made, enumerable: true, writable: true, configurable: true });
}

/** Turn what has only numbers for names into lists, in their order; gaps close. */
function listed(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  const isList = (value as Node)[LIST] || (names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name)));
  if (!isList) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, listed(member)]));
  }
  return names.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(a) - Number(b))
    .map((name) => listed((value as Node)[name]));
}

function edit(input: Record<string, unknown>, { kind, path }: NonNullable<Posted["edit"]>): void {
  if (kind === "add") {
    const list = at(input, path);
    if (Array.isArray(list)) list.push({});
    else if (PATH.test(path)) put(input, path.split("."), [{}]);
    return;
  }
  const dot = path.lastIndexOf(".");
  const list = at(input, path.slice(0, dot));
  if (Array.isArray(list)) list.splice(Number(path.slice(dot + 1)), 1);
}
