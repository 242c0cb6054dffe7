import { asSentence } from "../../provider/trouble.ts";
import type { VNode } from "preact";
import type { ConnectionReport } from "../../ops/connection.ts";
import type { LoadedLists } from "../../ops/lists.ts";
import { Card, Empty } from "../parts/card.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge, Notice } from "../parts/notice.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../view.ts";

/** Tests the connection, and shows possible causes when it fails, the most likely first. */
export function ConnectionCard({ view }: { view: View }): VNode {
  const report = view.done?.action === "cfbe_test_connection"
    ? view.done.data as ConnectionReport
    : undefined;
  return (
    <Card
      id="connection"
      title="Connection"
      lead="Sends one request with the saved API key. Changes nothing at the provider."
      actions={
        <PostForm view={view} action="cfbe_test_connection" class="inline">
          <button type="submit">Test connection</button>
        </PostForm>
      }
    >
      {report && <Report report={report} />}
    </Card>
  );
}

/** The result of a connection test. */
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
          : <>Connection failed: {asSentence(report.reason)}</>}
      </Notice>
      {report.causes.length > 0 && (
        <>
          <h3>{report.ok ? "What will prevent emails from being sent" : "Possible causes"}</h3>
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
      {report.ok &&
        report.setup.map(({ id, level, what, todo }) => (
          <Notice key={id + what} kind={level === "error" ? "bad" : "warn"}>
            <strong>{what}</strong> {todo}
          </Notice>
        ))}
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

/** The provider's lists that forms can use. */
export function ListsCard({ view }: { view: View }): VNode {
  const { knownLists, defaultList } = view.app.settings.current().general;
  const loaded = view.done?.action === "cfbe_load_lists"
    ? view.done.data as LoadedLists & { kind: "loaded" }
    : undefined;
  return (
    <Card
      id="lists"
      title="Lists"
      lead="Forms can add signups to any of these lists. Reload them after you create a list at the provider."
      actions={
        <PostForm view={view} action="cfbe_load_lists" class="inline">
          <button type="submit">Load lists</button>
        </PostForm>
      }
    >
      {loaded?.missing.map(({ id, where }) => (
        <Notice key={id} kind="warn">
          The list <code>{id}</code>, selected in {where.join(", ")}, does not exist at the provider.
        </Notice>
      ))}
      {knownLists.length === 0
        ? <Empty title="No lists yet">Enter the provider's settings, save them, and load the lists.</Empty>
        : (
          <Table
            caption="Lists"
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
              { title: "ID", cell: ({ id }) => <code>{id}</code> },
              {
                title: "Double opt-in",
                cell: ({ doubleOptIn }) =>
                  doubleOptIn === undefined
                    ? <Badge>not shown by the provider</Badge>
                    : doubleOptIn
                    ? <Badge kind="good">on</Badge>
                    : <Badge kind="warn">off (subscribers are added without confirmation)</Badge>,
              },
            ]}
          />
        )}
    </Card>
  );
}
