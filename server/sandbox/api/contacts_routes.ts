import { Hono } from "hono";
import { z } from "zod";
import {
  createContact,
  createField,
  deleteContact,
  listContacts,
  listsOf,
  readContact,
  readFields,
  updateContact,
} from "../account/contacts.ts";
import type { Context } from "../account/context.ts";
import type { ContactRow, FieldRow } from "../account/rows.ts";
import { customPropertyName, withFields } from "./custom_properties.ts";
import {
  address,
  fail,
  invalid,
  notFound,
  ok,
  page,
  personName,
  readJson,
  readPaging,
  tagList,
} from "./envelope.ts";

const newContact = z.object({ email: address, name: personName.default(""), tags: tagList.default([]) });
const patch = z.object({ name: personName.optional(), tags: tagList.optional() });
const newField = z.object({ name: customPropertyName, type: z.enum(["string", "number"]) });

/**
 * Serves `contacts`, without the listing of tags. Source: the page "Contacts" of the provider's
 * documentation.
 */
export function contactRoutes(context: Context, origin: string): Hono {
  const app = new Hono();
  const { kv } = context;
  const shape = async (row: ContactRow) => ({
    _id: row.id,
    email: row.email,
    name: row.name,
    tags: row.tags,
    ...row.properties,
    _lists: await listsOf(kv, row.email),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  });
  const email = (raw: string) => address.safeParse(raw).data ?? "";

  app.get("/", async (c) => {
    const query = readPaging(c);
    const { items, count } = await listContacts(kv, query);
    return page(c, origin, await Promise.all(items.map(shape)), count, query);
  });

  const fieldShape = ({ id, name, type }: FieldRow) => ({ _id: id, name, type });
  app.get("/fields", async (c) => {
    const fields = await readFields(kv);
    return ok(c, { items: fields.map(fieldShape), count: fields.length, next: null });
  });

  app.post("/fields", async (c) => {
    const body = newField.safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const field = await createField(context, body.data);
    return field ? ok(c, fieldShape(field), 201) : fail(c, 409, "CONFLICT", "Field already exists.");
  });

  app.post("/", async (c) => {
    const body = withFields(newContact, await readFields(kv)).safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const contact = await createContact(context, body.data);
    if (!contact) return fail(c, 400, "VALIDATION_ERROR", "Email already exists.");
    return ok(c, await shape(contact), 201);
  });

  app.get("/:email", async (c) => {
    const contact = await readContact(kv, email(c.req.param("email")));
    return contact ? ok(c, await shape(contact)) : notFound(c, "Contact");
  });

  app.patch("/:email", async (c) => {
    const body = withFields(patch, await readFields(kv)).safeParse(await readJson(c));
    if (!body.success) return invalid(c, body.error);
    const contact = await updateContact(context, email(c.req.param("email")), body.data);
    return contact ? ok(c, await shape(contact)) : notFound(c, "Contact");
  });

  app.delete("/:email", async (c) => {
    const contact = await deleteContact(context, email(c.req.param("email")));
    return contact ? ok(c, await shape(contact)) : notFound(c, "Contact");
  });

  return app;
}
