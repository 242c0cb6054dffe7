import type { VNode } from "preact";
import {
  CONNECT_FIELDS,
  type ConnectRequest,
  InvalidRequest,
  readConnectRequest,
  returnUrl,
} from "../../platform/tokens/sites/connect_request.ts";
import { definePage } from "../frame/page.ts";
import { lockedBy } from "../frame/setting_lock.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { SwitchField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Notice } from "../parts/notice.tsx";
import type { SiteAgreed } from "./actions/sites.ts";
import { type ConnectPlan, connectPlan, firstChoices } from "./connect_plan.ts";

/** Where the plugin of a site sends an admin, to agree to what it asks for. */
export const connectPage = definePage({
  path: "/connect",
  title: "Connect a site",
  parent: "/sites",
  capability: "tokens",
  render(view) {
    if (view.done?.action === "cfbe_connect_site") return <Agreed view={view} />;
    try {
      return <Consent view={view} request={readConnectRequest(view.query)} />;
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      return (
        <Card>
          <Notice kind="bad">{error.message}</Notice>
          <p>
            Nothing was changed. <a href={view.href("/sites")}>Connected sites</a>
          </p>
        </Card>
      );
    }
  },
});

/** Returns a site's URL for people: the host first, as browsers show it. */
const shownUrl = (url: string) => url.replace(/^https:\/\//, "");

function Consent({ view, request }: { view: View; request: ConnectRequest }): VNode {
  const { settings, config } = view.app;
  const first = firstChoices(settings.current(), request);
  const isLocked = (path: string) => lockedBy(view.app, path) !== undefined;
  const plan = connectPlan(settings.current(), isLocked, request, { ...first, only: false });
  const asked = Object.fromEntries(CONNECT_FIELDS.map((field) => [field, view.query.get(field) ?? ""]));
  const cancelled = returnUrl(request.redirectUri, {
    error: "access_denied",
    state: request.state,
    iss: config.baseUrl,
  });
  return (
    <Card>
      <p class="site-name">
        <span class="help">This site wants to use your cfbe:</span>
        <strong>{shownUrl(request.url)}</strong>
        {request.name && <span class="help">It calls itself “{request.name}”.</span>}
      </p>
      <Notice kind="warn">
        Connect it only if it is your site, and you have just chosen “Connect to cfbe” in its WordPress.
      </Notice>
      <PostForm view={view} action="cfbe_connect_site" match={asked} current={{ ...first }}>
        <h2>The site gets</h2>
        <ul class="site-gets">
          <li>
            A key of its own, to sign the lists and tags of its forms, and to empty its page caches.
          </li>
          <li>
            An API token of its own, to see forms, figures and settings (<code>read</code>) and to sign people
            up (<code>signup</code>).
          </li>
          <OriginFact view={view} plan={plan} />
        </ul>
        <p class="help">
          You can revoke both at any time, under Connected sites. It gets no password, and not the key behind
          all keys.
        </p>
        <h2>You choose</h2>
        <ShopChoices view={view} request={request} plan={plan} />
        <SwitchField
          path="personal"
          label="Personal data requests"
          help="WordPress's tools under Tools → Export and Erase Personal Data also reach what cfbe stores about a person (scope people). All admins of the site can then read and erase your subscribers."
        />
        {settings.current().general.origins.length === 0 && !isLocked("general.origins") && (
          <SwitchField
            path="only"
            label="Allow forms on this site only"
            help="Any site may embed your forms now. Turned on, only this one may, until you add others under General. Abandoned carts need it."
          />
        )}
        <div class="buttons">
          <button type="submit" class="primary">Connect {shownUrl(request.url)}</button>
          <a class="button" href={cancelled} rel="noreferrer">Cancel</a>
        </div>
      </PostForm>
    </Card>
  );
}

function OriginFact({ view, plan: { origin } }: { view: View; plan: ConnectPlan }): VNode {
  const value = <code>{origin.value}</code>;
  switch (origin.state) {
    case "added":
      return <li>Your forms on its pages: {value} is added to the allowed origins.</li>;
    case "allowed":
      return <li>Your forms on its pages: {value} is an allowed origin already.</li>;
    case "any":
      return <li>Your forms on its pages: every site may embed them, as no allowed origins are set.</li>;
    case "locked":
      return (
        <li>
          No forms on its pages yet: allowed origins are set by {lockedBy(view.app, "general.origins")}. Add
          {" "}
          {value} there.
        </li>
      );
  }
}

/** What cfbe does with the orders of the site's shop. */
function ShopChoices(
  { view, request, plan }: { view: View; request: ConnectRequest; plan: ConnectPlan },
): VNode | null {
  if (!request.hasShop) return null;
  if (plan.noOrders) {
    return (
      <Notice kind="plain">
        {plan.noOrders === "locked"
          ? `The shop system is set by ${lockedBy(view.app, "checkout.shop")}.`
          : "cfbe is connected to another shop already."} It reads no orders of this site's WooCommerce.
      </Notice>
    );
  }
  return (
    <>
      <SwitchField
        path="checkout"
        label="Signup at checkout"
        help="WooCommerce shows a checkbox at its checkout, and sends its orders to cfbe, which signs up who ticks it."
      />
      <SwitchField
        path="carts"
        label="Abandoned cart emails"
        help="WooCommerce sends carts and orders to cfbe, which sends one reminder about an abandoned cart."
      />
    </>
  );
}

/** Takes the browser back to the site. The link does it where no script runs: a form may not lead to another site. */
function Agreed({ view }: { view: View }): VNode {
  const { url, to } = view.done!.data as SiteAgreed;
  return (
    <Card
      title={`Back to ${shownUrl(url)}`}
      lead="The site collects its keys now. If it does not open, go on by hand."
    >
      <div class="buttons">
        <a class="button primary" href={to} rel="noreferrer" data-follow>Continue to {shownUrl(url)}</a>
      </div>
    </Card>
  );
}
