import type { VNode } from "preact";
import type { ListedSite } from "../../platform/tokens/sites/store.ts";
import { definePage } from "../frame/page.ts";
import type { View } from "../frame/view.ts";
import { Card, Empty } from "../parts/card.tsx";
import { Revoke } from "../parts/confirm.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { Table } from "../parts/table.tsx";
import type { AddedSite } from "./actions/sites.ts";

export const sitesPage = definePage({
  path: "/sites",
  title: "Connected sites",
  lead: "WordPress sites that sign their forms with a key of their own, which you can revoke.",
  group: "Settings",
  icon: "link",
  shortcut: "n",
  capability: "tokens",
  services: ["sites"],
  async render(view) {
    const sites = await view.app.sites.list();
    const connected = sites.filter(({ revokedAt }) => revokedAt === undefined);
    return (
      <>
        <NewSite view={view} />
        <Connected view={view} sites={connected} />
        <Revoked sites={sites.filter(({ revokedAt }) => revokedAt !== undefined)} />
        <Add view={view} />
      </>
    );
  },
});

/** The site that was just added by hand. Its key and token cannot be shown again. */
function NewSite({ view }: { view: View }): VNode | null {
  if (view.done?.action !== "cfbe_add_site") return null;
  const { url, key, token } = view.done.data as AddedSite;
  return (
    <Card title={`Key of ${url}`} lead="Copy these lines into its wp-config.php. They are shown only now.">
      <Snippet id="new-site" label="wp-config.php">
        {`define( 'CFBE_SITE_KEY', '${key}' );\ndefine( 'CFBE_API_TOKEN', '${token}' );`}
      </Snippet>
    </Card>
  );
}

function Connected({ view, sites }: { view: View; sites: ListedSite[] }): VNode {
  const { origins } = view.app.settings.current().general;
  return (
    <Card title="Sites">
      {sites.length === 0
        ? (
          <Empty title="No connected sites yet.">
            In WordPress, install the plugin (here under{" "}
            <a href={view.href("/forms")}>Forms</a>, a form, Embed), open Settings → cfbe, enter{" "}
            <code>{view.app.config.baseUrl}</code> and choose “Connect to cfbe”.
          </Empty>
        )
        : (
          <Table
            caption="Connected sites"
            rows={sites}
            keyOf={({ id }) => id}
            columns={[
              { title: "Site", cell: (site) => <Named site={site} origins={origins} /> },
              { title: "May", cell: (site) => <May site={site} /> },
              {
                title: "Last used",
                cell: ({ usedAt }) => usedAt === undefined ? "Never" : <Moment at={usedAt} />,
              },
              {
                title: "Actions",
                cell: (site) => (
                  <Revoke view={view} id={site.id} name={site.url} what="site" action="cfbe_revoke_site">
                    <p>
                      Its API token stops working immediately, and so does its key: its forms go to the
                      default list, without their tags, and its orders are refused. It can be connected again,
                      with another key. Its origin stays allowed; you can remove it under General.
                    </p>
                  </Revoke>
                ),
              },
            ]}
          />
        )}
    </Card>
  );
}

function Named({ site, origins }: { site: ListedSite; origins: readonly string[] }): VNode {
  const { id, url, name, by, createdAt } = site;
  const isAllowed = origins.length === 0 || origins.includes(new URL(url).origin);
  return (
    <>
      <strong class="whole">{url}</strong>{" "}
      {!isAllowed && <Badge kind="warn">not an allowed origin: its pages show no forms</Badge>}
      <div class="about">
        {name && `“${name}”, `}
        {id}, connected by {by} <Moment at={createdAt} short />
      </div>
    </>
  );
}

function May({ site: { modules, scopes } }: { site: ListedSite }): VNode {
  const done = [
    "Sign forms",
    ...(modules.includes("checkout") ? ["sign up at checkout"] : []),
    ...(modules.includes("carts") ? ["send carts"] : []),
  ];
  return (
    <>
      {done.join(", ")}
      <div class="about">Token: {scopes.join(", ") || "none"}</div>
    </>
  );
}

function Revoked({ sites }: { sites: ListedSite[] }): VNode | null {
  if (sites.length === 0) return null;
  return (
    <Card>
      <details>
        <summary>Revoked sites ({sites.length})</summary>
        <Table
          caption="Revoked sites"
          rows={sites}
          keyOf={({ id }) => id}
          columns={[
            { title: "Site", cell: ({ url }) => <span class="whole">{url}</span> },
            { title: "ID", cell: ({ id }) => id },
            {
              title: "Revoked",
              cell: ({ revokedAt, revokedBy }) => (
                <>
                  <Moment at={revokedAt!} />
                  <div class="about">by {revokedBy}</div>
                </>
              ),
            },
          ]}
        />
      </details>
    </Card>
  );
}

function Add({ view }: { view: View }): VNode {
  return (
    <Card
      title="Add a site by hand"
      lead="For sites that keep their keys in wp-config.php, or whose admin has another domain. WordPress is set up with the lines that you get."
    >
      <PostForm view={view} action="cfbe_add_site">
        <TextField
          path="url"
          label="URL of the site"
          type="url"
          required
          maxLength={200}
          placeholder="https://shop.example"
          help="Its home page. If a site with this URL is connected, it keeps its key and gets another API token."
        />
        <div class="buttons">
          <button type="submit">Add site</button>
        </div>
      </PostForm>
    </Card>
  );
}
