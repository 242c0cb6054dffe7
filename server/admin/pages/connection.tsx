import type { VNode } from "preact";
import type { ConnectionReport } from "../../ops/connection.ts";
import type { LoadedLists } from "../../ops/lists.ts";
import { Card, Empty } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";

/** Whether the key opens the project; if not, what may be the matter, most likely first. */
export function ConnectionCard({ view }: { view: View }): VNode {
  const report = view.done?.action === "cfbe_test_connection"
    ? view.done.data as ConnectionReport
    : undefined;
  return (
    <Card
      id="connection"
      title="Connection"
      lead="Asks the provider with the key that is saved. Nothing is changed there."
      actions={
        <PostForm view={view} action="cfbe_test_connection" class="inline">
          <button type="submit">Test the connection</button>
        </PostForm>
      }
    >
      {report && <Report report={report} />}
    </Card>
  );
}

/** What a test has shown. */
export function Report({ report }: { report: ConnectionReport }) {
  return (
    <>
      <Notice kind={report.ok ? "good" : "bad"}>
        {report.ok
          ? (
            <>
              Connected to <strong>{report.project}</strong> ({report.account}).
            </>
          )
          : <>Not connected: {report.reason}.</>}
      </Notice>
      {report.causes.length > 0 && (
        <>
          <h3>{report.ok ? "What will keep mail from going out" : "What may be the matter"}</h3>
          <ol class="causes">
            {report.causes.map(({ code, what, todo }) => (
              <li key={code}>
                <strong>{what}</strong>
                <p class="help">{todo}</p>
              </li>
            ))}
          </ol>
        </>
      )}
      {report.skewMs !== undefined && Math.abs(report.skewMs) > 60_000 && (
        <Notice kind="warn">
          This machine's clock differs from the provider's by {Math.round(Math.abs(report.skewMs) / 1000)}
          {" "}
          seconds.
        </Notice>
      )}
    </>
  );
}

/** The lists that forms may name. */
export function ListsCard({ view }: { view: View }): VNode {
  const { knownLists, defaultList } = view.app.settings.current().general;
  const loaded = view.done?.action === "cfbe_load_lists"
    ? view.done.data as LoadedLists & { kind: "loaded" }
    : undefined;
  return (
    <Card
      id="lists"
      title="Known lists"
      lead="A form may send its signups to any of these. Load them again when one was made at the provider."
      actions={
        <PostForm view={view} action="cfbe_load_lists" class="inline">
          <button type="submit">Load lists</button>
        </PostForm>
      }
    >
      {loaded?.missing.map(({ id, where }) => (
        <Notice key={id} kind="warn">
          The list <code>{id}</code> is chosen in {where.join(", ")}, and the provider does not have it.
        </Notice>
      ))}
      {knownLists.length === 0
        ? <Empty title="No lists are known yet">Enter project and key, save, and load them.</Empty>
        : (
          <Table
            caption="Known lists"
            rows={knownLists}
            keyOf={({ id }) => id}
            columns={[
              {
                title: "List",
                cell: ({ id, name }) => (
                  <>
                    <strong>{name}</strong> {id === defaultList && <Badge>default</Badge>}
                  </>
                ),
              },
              { title: "Id", cell: ({ id }) => <code>{id}</code> },
              {
                title: "Double opt-in",
                cell: ({ doubleOptIn }) =>
                  doubleOptIn
                    ? <Badge kind="good">on</Badge>
                    : <Badge kind="warn">off: nobody is asked to confirm</Badge>,
              },
            ]}
          />
        )}
    </Card>
  );
}
