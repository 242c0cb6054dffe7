import { Buffer } from "node:buffer";

/** A request to `/admin/ajax`, from a form or a script. */
export interface Posted {
  action: string;
  /** Path of the page that the form is on, if given. */
  page: string | undefined;
  /** Input of the action. */
  input: Record<string, unknown>;
  /**
   * Changes the form in place of running the action: adds, removes or moves a row of a list, or makes a value the form's
   * own or inherited, or fills a field. The path of a row to add can have a query, such as `fields.fields?kind=text`: its
   * first values. That of a field to fill has its value, such as `fields.design.text=#333333`.
   */
  edit?: { kind: keyof typeof EDITS; path: string };
  /** Shows what the form's values mean, in place of running the action: the value of the button that asked for it. */
  check?: string;
}

/** Buttons that change a form, by the edit that they do. */
const EDITS = {
  add: "_add",
  remove: "_remove",
  up: "_up",
  down: "_down",
  own: "_own",
  inherit: "_inherit",
  fill: "_fill",
} as const;
const EDIT_KINDS = Object.keys(EDITS) as (keyof typeof EDITS)[];

/** More than any form of the admin has. Parsing many tiny fields takes far longer than their bytes suggest. */
const MAX_FIELDS = 5_000;
/** Parts of a form with files, which are a few each. */
const MAX_PARTS = 100;
const PATH = /^[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+){0,8}$/u;

/**
 * Reads form fields as a tree: `fields.popup.0.name` is a path. A prefix of the name gives the type: `n:` a number, `b:`
 * a boolean, `l:` one list entry per line, `o:` optional (`null` if empty), `a:` a list, which may be empty. A value of
 * `n:` that is not a number stays text, and the schema rejects it.
 *
 * @example
 * ```ts
 * readForm([["n:fields.days", "30"], ["b:fields.on", "false"], ["b:fields.on", "true"]]);
 * // input: { fields: { days: 30, on: true } }
 * ```
 */
export function readForm(pairs: Iterable<readonly [string, string]>): Posted {
  const posted: Posted = { action: "", page: undefined, input: {} };
  for (const [name, value] of pairs) {
    if (name === "action") posted.action = value;
    else if (name === "_page") posted.page = value;
    else if (name === "_check") posted.check = value;
    else if (name.startsWith("_")) {
      const kind = EDIT_KINDS.find((kind) => EDITS[kind] === name);
      if (kind) posted.edit = { kind, path: value };
    } else {
      putTyped(posted.input, name, value);
    }
  }
  // The input itself is never a list, whatever its names are.
  posted.input = Object.fromEntries(
    Object.entries(posted.input).map(([name, value]) => [name, toLists(value)]),
  );
  if (posted.edit) edit(posted.input, posted.edit);
  return posted;
}

/** Returns whether a form has more fields, or parts, than any form of the admin. Parses nothing. */
export function hasTooManyFields(body: Uint8Array<ArrayBufferLike>, contentType: string): boolean {
  if (!isMultipart(contentType)) return occursMoreThan(MAX_FIELDS, "&", body);
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  return boundary === undefined || occursMoreThan(MAX_PARTS + 1, `--${boundary}`, body);
}

/** Returns whether a form with files was sent. */
export const isMultipart = (contentType: string): boolean => /^multipart\/form-data\b/i.test(contentType);

function occursMoreThan(most: number, text: string, bytes: Uint8Array<ArrayBufferLike>): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + text.length)) {
    if (++count > most) return true;
  }
  return false;
}

/** Reads a form with files, which are in Base64 in the input. A body that is no such form is empty. */
export async function readMultipart(body: Uint8Array<ArrayBufferLike>, contentType: string): Promise<Posted> {
  const response = new Response(new Uint8Array(body), { headers: { "content-type": contentType } });
  const form = await response.formData().catch(() => new FormData());
  const pairs: [string, string][] = [];
  for (const [name, value] of form) {
    const text = typeof value === "string"
      ? value
      : Buffer.from(await value.arrayBuffer()).toString("base64");
    pairs.push([name, text]);
  }
  return readForm(pairs);
}

/** Reads a JSON body. Everything except `action` and `_page` is the input. */
export function readJson(body: Record<string, unknown>): Posted {
  const { action, _page, ...input } = body;
  const text = (value: unknown) => typeof value === "string" ? value : "";
  return { action: text(action), page: text(_page) || undefined, input };
}

/** Returns the value at a path, or undefined. */
export function at(tree: unknown, path: string): unknown {
  let value = tree;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** Sets what a field stands for: its name is a path, after the letter of its type. */
function putTyped(tree: Node, name: string, value: string): void {
  const [, type = "", path = ""] = /^(?:([nbloa]):)?(.*)$/s.exec(name) ?? [];
  if (PATH.test(path)) put(tree, path.split("."), typed(type, value));
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

/** Marks an object that becomes a list once all its numbered rows are set. */
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

/** Converts objects that have only numeric keys to lists, sorted and without gaps. */
function toLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  const isList = (value as Node)[LIST] || (names.length > 0 && names.every((name) => /^\d{1,6}$/.test(name)));
  if (!isList) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toLists(member)]));
  }
  return names.filter((name) => /^\d+$/.test(name)).sort((a, b) => Number(a) - Number(b))
    .map((name) => toLists((value as Node)[name]));
}

function edit(input: Record<string, unknown>, { kind, path }: NonNullable<Posted["edit"]>): void {
  // Only the page knows the inherited value that the own one begins with.
  if (kind === "own") return;
  if (kind === "inherit") {
    if (PATH.test(path)) put(input, path.split("."), null);
    return;
  }
  if (kind === "add") {
    const [listPath = "", values] = path.split("?");
    const row: Node = {};
    for (const [name, value] of new URLSearchParams(values)) putTyped(row, name, value);
    const list = at(input, listPath);
    if (Array.isArray(list)) list.push(toLists(row));
    else if (PATH.test(listPath)) put(input, listPath.split("."), [toLists(row)]);
    return;
  }
  if (kind === "fill") {
    const [field = "", ...value] = path.split("=");
    if (PATH.test(field)) put(input, field.split("."), value.join("="));
    return;
  }
  const dot = path.lastIndexOf(".");
  const list = at(input, path.slice(0, dot));
  const index = Number(path.slice(dot + 1));
  if (!Array.isArray(list) || !(index in list)) return;
  const [row] = list.splice(index, 1);
  if (kind === "remove") return;
  list.splice(Math.max(0, kind === "up" ? index - 1 : index + 1), 0, row);
}
