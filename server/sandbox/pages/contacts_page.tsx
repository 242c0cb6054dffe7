import { counted } from "../../platform/words/counted.ts";
import { Fragment, type VNode } from "preact";
import type { Faults } from "../account/faults.ts";
import type { ContactRow } from "../account/rows.ts";
import { layout, type SandboxUrls, timestamp } from "./layout.tsx";
import { table } from "./table.tsx";

export const CONTACTS_PER_PAGE = 50;

export interface ContactsView {
  /** Newest first, each with the names of its lists. */
  contacts: { contact: ContactRow; lists: string[] }[];
  count: number;
  /** Number of newer contacts on the pages before this one. */
  skip: number;
  faults: Faults;
}

/** Renders all contacts of the project, on lists or not, with their tags and custom properties. */
export function contactsPage(urls: SandboxUrls, { contacts, count, skip, faults }: ContactsView): string {
  const at = (from: number) => `${urls.sandbox}/contacts${from > 0 ? `?skip=${from}` : ""}`;
  const body = (
    <>
      <h1 id="contacts">{counted(count, "contact")}</h1>
      {contacts.length === 0
        ? (
          <p class="empty">
            No contacts yet. Subscribers become contacts, and so do customers while contact sync is on.
          </p>
        )
        : table("contacts", COLUMNS, contacts.map(contactRow))}
      <p class="pager">
        {skip > 0 && <a href={at(Math.max(0, skip - CONTACTS_PER_PAGE))} rel="prev">Newer</a>}
        {skip + contacts.length < count && <a href={at(skip + CONTACTS_PER_PAGE)} rel="next">Older</a>}
      </p>
    </>
  );
  return layout(urls, { title: "Contacts", tab: "contacts", faults, body });
}

const COLUMNS = ["Email", "Name", "Tags", "Lists", "Properties", "Updated"];

const contactRow = ({ contact, lists }: ContactsView["contacts"][number]): VNode => (
  <tr>
    <td class="to">{contact.email}</td>
    <td>{contact.name}</td>
    <td>{contact.tags.join(", ")}</td>
    <td>{lists.join(", ")}</td>
    <td class="properties">
      {Object.entries(contact.properties ?? {}).map(([name, value]) => (
        <Fragment key={name}>
          <code>{name}</code> {value}
          <br />
        </Fragment>
      ))}
    </td>
    <td>{timestamp(contact.updatedAt)}</td>
  </tr>
);
