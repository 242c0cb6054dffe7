import type { Erased, PersonExport } from "../../subscribers/privacy/people.ts";
import { definePage } from "../frame/page.ts";
import { Card } from "../parts/card.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import { ErasureResult, ExportResult } from "../subscribers/person_results.tsx";
import { AtProvidersField, ERASE_FIELDS } from "../subscribers/subscriber_confirms.tsx";
import { UnsubscribeHelp } from "../subscribers/unsubscribe_help.tsx";

export const requestsPage = definePage({
  path: "/requests",
  title: "Data requests",
  lead: "Export or erase everything held about one person, or see where to unsubscribe them.",
  group: "Audience & activity",
  icon: "requests",
  shortcut: "r",
  capability: "personal",
  services: ["people"],
  render(view) {
    return (
      <>
        {view.done?.action === "cfbe_erase_person" && (
          <ErasureResult view={view} erased={view.done.data as Erased} />
        )}
        {view.done?.action === "cfbe_export_person" && (
          <ExportResult view={view} document={view.done.data as PersonExport} />
        )}
        {!view.mayRun("cfbe_export_person") && (
          <Notice kind="plain">
            Your role cannot export or erase data. Ask an admin to do it, or for the role support.
          </Notice>
        )}
        <Card
          title="Unsubscribe"
          lead={<UnsubscribeHelp view={view} provider={view.app.settings.current().general.provider} />}
        >
          <p class="help">
            If they only want no more emails, don't erase them: the proof of consent would be gone.{" "}
            <a href={view.href("/subscribers")}>Find the person</a>
          </p>
        </Card>
        <Card
          title="Export"
          lead="All data about an email address: signups with the consent texts shown, carts, orders and jobs. As a document to read, print or send, and as JSON."
        >
          <PostForm view={view} action="cfbe_export_person">
            <TextField path="email" label="Email address" type="email" required autocomplete="off" />
            <div class="buttons">
              <button type="submit">Export</button>
            </div>
          </PostForm>
        </Card>
        <Card
          title="Erase"
          lead="Permanently deletes what cfbe stores about an email address: all signups, proofs of consent, carts, orders and jobs. This can't be undone."
        >
          <PostForm view={view} action="cfbe_erase_person" current={ERASE_FIELDS}>
            <TextField path="email" label="Email address" type="email" required autocomplete="off" />
            <TextField
              path="typed"
              label="Repeat email address"
              type="email"
              required
              autocomplete="off"
              help="To avoid erasing the wrong person."
            />
            <AtProvidersField
              view={view}
              help="Removes the address from every list there. Otherwise the person stays on them, and can still get emails. Runs in the background and is retried after outages."
            />
            <div class="buttons">
              <button type="submit" class="danger">Erase</button>
            </div>
          </PostForm>
        </Card>
        <p class="help">
          Exports and erasures are recorded in the <a href={view.href("/audit")}>audit log</a>{" "}
          without the address. Backups are not changed, but cfbe leaves out erased people when you restore
          one.
        </p>
      </>
    );
  },
});
