import { Ajv, type AnySchema, type ValidateFunction } from "ajv";

/** A parsed OpenAPI 3 or Swagger 2 document. */
export type Document = Record<string, unknown>;

/** One operation of a specification. */
export interface Operation {
  method: string;
  /** With its parameters in braces: `/contacts/{id}`. */
  path: string;
  /** Names of its query parameters, and which are required. */
  query: Map<string, { required: boolean }>;
  /** Returns the faults of a request's body; undefined if the specification does not describe it. */
  checkRequest(body: unknown, type: string): string[] | undefined;
  /** Returns the faults of a response's body; undefined if the specification does not describe that status or its body. */
  checkResponse(status: number, body: unknown, type: string): string[] | undefined;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** Reads the operations of a document. `name` distinguishes it from others. */
export function operationsOf(name: string, document: Document): Operation[] {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });
  expandNullable(document);
  ajv.addSchema(document as AnySchema, name);
  const resolve = (node: unknown): unknown => {
    if (!isNode(node) || typeof node["$ref"] !== "string") return node;
    return resolve(at(document, node["$ref"].replace(/^#/, "")));
  };
  /** Returns the check of the schema at a JSON pointer. */
  const compiled = new Map<string, ValidateFunction>();
  const check = (pointer: string, body: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${name}#${pointer}` });
    compiled.set(pointer, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || "body"} ${message}`);
  };
  /** Follows the reference at a pointer, so that the parts behind it can be pointed to as well. */
  const target = (pointer: string): string => {
    const node = at(document, pointer);
    return isNode(node) && typeof node["$ref"] === "string"
      ? target(node["$ref"].replace(/^#/, ""))
      : pointer;
  };
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries(document["paths"] as Node)) {
    for (const method of METHODS) {
      if (!isNode(item) || !isNode(item[method])) continue;
      const operation = item[method];
      const pointer = `/paths/${escaped(path)}/${method}`;
      const parameters = [item["parameters"], operation["parameters"]].flatMap((list, level) =>
        (Array.isArray(list) ? list : []).map((parameter, index) => ({
          ...resolve(parameter) as { name: string; in: string; required?: boolean; schema?: unknown },
          pointer: target(
            level === 0 ? `/paths/${escaped(path)}/parameters/${index}` : `${pointer}/parameters/${index}`,
          ),
        }))
      );
      const body = parameters.find((parameter) => parameter.in === "body");
      operations.push({
        method: method.toUpperCase(),
        path,
        query: new Map(
          parameters.filter((parameter) => parameter.in === "query")
            .map(({ name, required = false }) => [name, { required }]),
        ),
        checkRequest(content, type) {
          if (body) return check(`${body.pointer}/schema`, content);
          const schema = contentSchema(document, target(`${pointer}/requestBody`), type);
          return schema === undefined ? undefined : check(schema, content);
        },
        checkResponse(status, content, type) {
          const found = [String(status), `${String(status)[0]}XX`, "default"]
            .map((key) => `${pointer}/responses/${key}`).find((key) => at(document, key) !== undefined);
          if (found === undefined) return undefined;
          const response = target(found);
          if (isNode(at(document, `${response}/schema`))) return check(`${response}/schema`, content);
          const schema = contentSchema(document, response, type);
          if (schema !== undefined) return check(schema, content);
          return content === undefined ? [] : undefined;
        },
      });
    }
  }
  return operations;
}

/**
 * Rewrites `nullable` where Ajv does not understand it: beside a reference or anything else without a type, and beside an
 * `enum` that does not list null, as vendors write it.
 */
function expandNullable(node: unknown): void {
  if (!isNode(node)) return;
  Object.values(node).forEach(expandNullable);
  if (node["nullable"] !== true || (node["type"] !== undefined && node["enum"] === undefined)) return;
  const { nullable: _, ...schema } = node;
  for (const name of Object.keys(node)) delete node[name];
  node["anyOf"] = [schema, { type: "null" }];
}

/** Returns the pointer of the schema of a body of that media type. */
function contentSchema(document: Document, pointer: string, type: string): string | undefined {
  const content = at(document, `${pointer}/content`);
  if (!isNode(content)) return undefined;
  const media = [type, ...Object.keys(content)].find((name) =>
    isNode(at(content, `/${escaped(name)}/schema`))
  );
  return media === undefined ? undefined : `${pointer}/content/${escaped(media)}/schema`;
}

/** Returns what a JSON pointer points to. */
function at(root: unknown, pointer: string): unknown {
  return pointer.split("/").slice(1).reduce<unknown>(
    (node, part) =>
      isNode(node) ? node[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
    root,
  );
}

/** Returns a name as a part of a JSON pointer in a URL. */
function escaped(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
