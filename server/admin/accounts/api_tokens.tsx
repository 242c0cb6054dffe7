import type { VNode } from "preact";
import { defaultExpiry } from "../../platform/tokens/expiry.ts";
import { ALL_SCOPES, SCOPES } from "../../platform/tokens/scopes.ts";
import type { ListedToken } from "../../platform/tokens/store.ts";
import { docPage } from "../../platform/words/doc_page.ts";
import { siteZone } from "../../settings/schema/time_zone.ts";
import { definePage } from "../frame/page.ts";
import type { View } from "../frame/view.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Revoke } from "../parts/confirm.tsx";
import { CopyField } from "../parts/copy_field.tsx";
import { useErrorSummary } from "../parts/error_summary.tsx";
import { TextField } from "../parts/field.tsx";
import { inputId, PostForm, useForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Table } from "../parts/table.tsx";
import { type CreatedToken, siteDate } from "./actions/api_tokens.ts";

const SOON_MS = 14 * 24 * 60 * 60 * 1000;

export const apiTokensPage = definePage({
  path: "/tokens",
  title: "API tokens",
  lead: "Keys for your servers, scripts and agents. Each does only what its scopes allow.",
  group: "Settings",
  icon: "key",
  shortcut: "k",
  capability: "tokens",
  services: ["apiTokens"],
  async render(view) {
    const tokens = await view.app.apiTokens.list();
    return (
      <>
        <NewToken view={view} />
        <Tokens view={view} tokens={tokens} />
        <Create view={view} />
      </>
    );
  },
});

/** The token that was just created. It cannot be shown again. */
function NewToken({ view }: { view: View }): VNode | null {
  if (view.done?.action !== "cfbe_add_token") return null;
  const { name, token } = view.done.data as CreatedToken;
  return (
    <Card title={`API token ${name}`} lead="Copy it to where it is used. It is shown only now.">
      <CopyField
        id="new-token"
        label="Token"
        help="Keep it secret: whoever has it can do what its scopes allow."
        value={token}
      />
    </Card>
  );
}

function Tokens({ view, tokens }: { view: View; tokens: ListedToken[] }): VNode {
  const lead = (
    <>
      Not listed: the token in{" "}
      <code>CFBE_API_TOKEN</code>, or in the file beside the database. It can do everything, and the command
      line uses it. For every request that a scope allows, see {docPage("security")}.
    </>
  );
  return (
    <Card title="Tokens" lead={lead}>
      {tokens.length === 0
        ? (
          <Empty title="No API tokens yet.">
            Create one for each system that calls cfbe, such as your shop, so that you can revoke it alone.
          </Empty>
        )
        : (
          <Table
            caption="API tokens"
            rows={tokens}
            keyOf={({ id }) => id}
            columns={[
              { title: "Name", cell: Named },
              { title: "Scopes", cell: ({ scopes }) => scopes.join(", ") },
              {
                title: "Last used",
                cell: ({ usedAt }) => usedAt === undefined ? "Never" : <Moment at={usedAt} />,
              },
              { title: "Expires", cell: (token) => <Expiry token={token} now={view.now} /> },
              {
                title: "Actions",
                cell: (token) =>
                  token.site === undefined
                    ? (
                      <Revoke
                        view={view}
                        id={token.id}
                        name={token.name}
                        what="token"
                        action="cfbe_revoke_token"
                      >
                        <p>What uses it stops working immediately. This can't be undone.</p>
                      </Revoke>
                    )
                    : <a href={view.href("/sites")}>Connected site</a>,
              },
            ]}
          />
        )}
    </Card>
  );
}

function Named({ id, name, by, createdAt }: ListedToken): VNode {
  return (
    <>
      <strong class="whole">{name}</strong>
      <div class="about">
        {id}, created by {by} <Moment at={createdAt} short />
      </div>
    </>
  );
}

function Expiry({ token: { expiresAt, isExpired }, now }: { token: ListedToken; now: number }): VNode {
  if (expiresAt === undefined) return <>Never</>;
  return (
    <>
      <Moment at={expiresAt} /> {isExpired
        ? <Badge kind="bad">expired</Badge>
        : expiresAt - now < SOON_MS && <Badge kind="warn">soon</Badge>}
    </>
  );
}

function Create({ view }: { view: View }): VNode {
  const today = siteDate(view.app, view.now);
  return (
    <Card title="Create token">
      <PostForm view={view} action="cfbe_add_token" current={{ expires: defaultExpiry(today) }}>
        <TextField
          path="name"
          label="Name"
          required
          maxLength={60}
          autocomplete="off"
          help="What uses it, for example: shop. The audit log shows this name."
        />
        <ScopeChoice path="scopes" />
        <TextField
          path="expires"
          label="Last day"
          type="date"
          optional
          help={`It stops working when this day ends in ${
            siteZone(view.app.settings.current())
          }. Leave empty for no end.`}
        />
        <div class="buttons">
          <button type="submit" class="primary">Create token</button>
        </div>
      </PostForm>
    </Card>
  );
}

function ScopeChoice({ path }: { path: string }): VNode {
  const form = useForm();
  const chosen = form.value(path);
  const error = form.error(path);
  const id = inputId(form, path);
  useErrorSummary({ id, label: "Scopes", message: error });
  return (
    <fieldset class="scopes" id={id} tabIndex={-1} aria-describedby={error && `${id}-error`}>
      <legend>Scopes</legend>
      <input type="hidden" name={`a:${path}`} />
      {ALL_SCOPES.map((scope, index) => (
        <div class="field after" key={scope}>
          <div class="line">
            <input
              type="checkbox"
              id={`${id}-${scope}`}
              name={`${path}.${index}`}
              value={scope}
              checked={Array.isArray(chosen) && chosen.includes(scope)}
              aria-describedby={`${id}-${scope}-help`}
            />
            <label for={`${id}-${scope}`}>{scope}</label>
          </div>
          <p class="help" id={`${id}-${scope}-help`}>{SCOPES[scope]}</p>
        </div>
      ))}
      {error && <p class="error" id={`${id}-error`}>{error}</p>}
    </fieldset>
  );
}
