import assert from "node:assert/strict";
import type { Exchange } from "../../server/providers/testing/record_exchanges.ts";
import { checkExchanges } from "./check.ts";
import { recordingsOf } from "./recordings.ts";
import { type Document, operationsOf } from "./specification.ts";

const PERSON = {
  type: "object",
  required: ["email"],
  properties: {
    email: { type: "string" },
    name: { type: "string", nullable: true },
    home: { $ref: "#/components/schemas/Home", nullable: true },
  },
};

const HOME = {
  type: "object",
  required: ["city"],
  properties: { kind: { type: "string", enum: ["flat", "house"], nullable: true } },
};

const OPENAPI: Document = {
  openapi: "3.0.3",
  paths: {
    "/people": {
      parameters: [{ $ref: "#/components/parameters/Limit" }],
      post: {
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Person" } } } },
        responses: {
          201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Person" } } } },
          404: { description: "No body." },
        },
      },
    },
    "/people/{id}": { get: { responses: { 200: { $ref: "#/components/responses/Found" } } } },
    "/people/me": { get: { responses: { 200: {} } } },
  },
  components: {
    parameters: { Limit: { name: "limit", in: "query", required: true } },
    responses: { Found: { content: { "application/json": { schema: PERSON } } } },
    schemas: { Person: PERSON, Home: HOME },
  },
};

const SWAGGER: Document = {
  swagger: "2.0",
  paths: {
    "/people": {
      put: {
        parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/Person" } }],
        responses: { 200: { schema: { $ref: "#/definitions/Person" } } },
      },
    },
  },
  definitions: { Person: PERSON },
  components: { schemas: { Home: HOME } },
};

const json = (value?: unknown) =>
  value === undefined ? { type: "", text: "" } : { type: "application/json", text: JSON.stringify(value) };

function exchange(
  method: string,
  target: string,
  { sent, status = 200, got }: { sent?: unknown; status?: number; got?: unknown } = {},
): Exchange {
  const { pathname, searchParams } = new URL(target, "http://vendor.example");
  return {
    method,
    path: pathname,
    query: [...searchParams],
    request: json(sent),
    status,
    response: json(got),
  };
}

const ADA = { email: "ada@example.com" };

function found(exchanges: Exchange[], reasons: Record<string, string> = {}, recorded: unknown[] = []) {
  const operations = [OPENAPI, SWAGGER].flatMap((document, i) => operationsOf(`spec${i}`, document));
  const http_interactions = recorded as Parameters<typeof recordingsOf>[0][number]["http_interactions"];
  const recordings = recordingsOf([{ http_interactions }]);
  return checkExchanges(exchanges, { operations, recordings }, { basePath: "/v3", reasons });
}

const faults = (...exchanges: Exchange[]) => Object.fromEntries(found(exchanges).faults);

Deno.test("an exchange that fits an OpenAPI or Swagger file has no fault", () => {
  const findings = found([
    exchange("POST", "/v3/people?limit=1", { sent: { ...ADA, name: null }, status: 201, got: ADA }),
    exchange("PUT", "/v3/people", { sent: ADA, got: ADA }),
    exchange("GET", "/v3/people/7", { got: ADA }),
    exchange("GET", "/v3/people/me"),
    exchange("POST", "/v3/people?limit=1", { sent: ADA, status: 404 }),
  ]);
  assert.deepEqual([...findings.faults], []);
  assert.deepEqual(findings.operations, { used: 4, described: 4 });
  assert.equal(findings.validated, 8);
});

Deno.test("a reference or an enum may be nullable, and is otherwise checked", () => {
  const at = (home: unknown) => exchange("GET", "/v3/people/7", { got: { ...ADA, home } });
  assert.deepEqual(faults(at(null), at({ city: "London", kind: null })), {});
  assert.match(faults(at({}))["GET /people/{id} 200 response"]!, /city/);
  assert.match(faults(at({ city: "London", kind: "boat" }))["GET /people/{id} 200 response"]!, /kind/);
});

Deno.test("a wrong body, parameter, status or operation is a fault", () => {
  assert.deepEqual(
    faults(
      exchange("POST", "/v3/people?limit=1", { sent: {}, status: 201, got: { email: 7 } }),
      exchange("PUT", "/v3/people", { sent: { email: 7 }, got: {} }),
      exchange("GET", "/v3/people/7?fields=email", { got: ADA, status: 409 }),
      exchange("POST", "/v3/people", { status: 404 }),
      exchange("DELETE", "/v3/people/7"),
    ),
    {
      "POST /people request": "body must have required property 'email'",
      "POST /people 201 response": "/email must be string",
      "PUT /people request": "/email must be string",
      "PUT /people 200 response": "body must have required property 'email'",
      "GET /people/{id} query": "the parameter fields is not described",
      "GET /people/{id} 409 response": "the status or its body is not described",
      "POST /people query": "the parameter limit is required",
      "DELETE /people/7": "the operation is not described",
    },
  );
});

Deno.test("a reason excuses one difference, and one that is not needed is reported", () => {
  const reasons = {
    "DELETE /people/{id}": "missing in the file",
    "POST /people request": "not needed",
  };
  const findings = found([exchange("DELETE", "/v3/people/7")], reasons);
  assert.deepEqual([...findings.faults], []);
  assert.deepEqual([...findings.excused], ["DELETE /people/{id}"]);
  assert.deepEqual(findings.unused, ["POST /people request"]);
});

Deno.test("a path that is listed as not described is not the described one that it fits", () => {
  const reasons = { "GET /people/lists": "missing in the file" };
  const findings = found([exchange("GET", "/v3/people/lists?limit=1", { got: [] })], reasons);
  assert.deepEqual([[...findings.faults], findings.unused], [[], []]);
});

Deno.test("a response must have the members and types of a recorded one, whatever their values", () => {
  const recorded = [{
    request: { method: "get", uri: "https://vendor.example/v3/people/99" },
    response: {
      status: { code: 200 },
      body: { string: '{"email":"a@b.c","tags":[{"id":1}],"left":null,"fields":[]}' },
    },
  }];
  const get = (got: unknown) => [...found([exchange("GET", "/v3/people/7", { got })], {}, recorded).faults];
  assert.deepEqual(get({ ...ADA, tags: [{ id: 2 }, { id: 3 }], left: "yes", fields: { a: 1 } }), []);
  assert.deepEqual(get({ ...ADA, tags: [{ id: "2" }] }), [
    ["GET /people/{id} 200 recording", "body/tags/0/id is of type string, not of type number"],
  ]);
  assert.deepEqual(get({ ...ADA, age: 3 }), [
    ["GET /people/{id} 200 recording", "body/age was never recorded"],
  ]);
  assert.deepEqual(get({ ...ADA, tags: {} }), [
    ["GET /people/{id} 200 recording", "body/tags is of type object, not a list"],
  ]);
});
