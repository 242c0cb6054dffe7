import { html } from "hono/html";
import type { Faults } from "../faults.ts";
import type { ContactRow } from "../rows.ts";
import { type Html, layout, moment, type Places } from "./layout.ts";

export const CONTACTS_A_PAGE = 50;

export interface ContactsView {
  /** Newest first, each with the names of its lists. */
  contacts: { contact: ContactRow; lists: string[] }[];
  count: number;
  /** How many newer ones stand on pages before this one. */
  skip: number;
  faults: Faults;
}

/** Everybody the project knows, on lists or not, with their tags and the numbers of their orders. */
export function contactsPage(places: Places, { contacts, count, skip, faults }: ContactsView): Html {
  const at = (from: number) => `${places.sandbox}/contacts${from > 0 ? `?skip=${from}` : ""}`;
  const body = html`
    <h1 id="contacts">${count === 1 ? "1 contact" : `${count} contacts`}</h1>
    ${contacts.length === 0
      ? html`<p class="empty">Nobody here yet. Whoever subscribes becomes a contact; with contact sync on, so does
      whoever orders.</p>`
      : table(contacts)}
    <p class="pager">
      ${skip > 0 ? html`<a href="${at(Math.max(0, skip - CONTACTS_A_PAGE))}" rel="prev">Newer</a>` : ""}
      ${skip + contacts.length < count
        ? html`<a href="${at(skip + CONTACTS_A_PAGE)}" rel="next">Older</a>`
        : ""}
    </p>
  `;
  return layout(places, { title: "Contacts", tab: "contacts", faults, body });
}

function table(contacts: ContactsView["contacts"]): Html {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-labelledby="contacts">
      <table>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Name</th>
            <th scope="col">Tags</th>
            <th scope="col">Lists</th>
            <th scope="col">Properties</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>${contacts.map(({ contact, lists }) =>
          html`
            <tr>
              <td class="to">${contact.email}</td>
              <td>${contact.name}</td>
              <td>${contact.tags.join(", ")}</td>
              <td>${lists.join(", ")}</td>
              <td class="properties">${Object.entries(contact.properties ?? {}).map(([name, value]) =>
                html`<code>${name}</code> ${value}<br>`
              )}</td>
              <td>${moment(contact.updatedAt)}</td>
            </tr>
          `
        )}</tbody>
      </table>
    </div>
  `;
}
