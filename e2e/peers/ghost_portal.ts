/** Ghost's signup popup as Ghost embeds it in a site, and the routes of a Ghost server that it calls. */
import { fileOfPackage } from "./ghost.ts";
import { compressed, type PopupPeer, servePeer } from "./peer.ts";

const PACKAGE = "@tryghost/portal@2.71.227";

/** A site with one newsletter, free for everyone, that asks for the email address only. */
const SETTINGS = {
  title: "A shop",
  description: "News from the shop",
  locale: "en",
  accent_color: "#08090c",
  members_enabled: true,
  allow_self_signup: true,
  members_signup_access: "all",
  members_invite_only: false,
  paid_members_enabled: false,
  portal_name: false,
  portal_button: false,
  portal_plans: ["free"],
  comments_enabled: "off",
  recommendations_enabled: false,
};
const TIERS = [{ id: "free", name: "Free", type: "free", active: true, visibility: "public", benefits: [] }];
const NEWSLETTERS = [{ id: "news", uuid: "news", name: "News", subscribe_on_signup: true, status: "active" }];

export async function startGhostPortal(): Promise<PopupPeer> {
  const script = await fileOfPackage(PACKAGE, "umd/portal.min.js");
  const content = "/ghost/api/content";
  return servePeer(
    { name: PACKAGE, close: "[data-testid=close-popup]" },
    (origin) =>
      `<script defer src="${origin}/portal.min.js" data-i18n="true" data-ghost="${origin}/" data-key="key"
        data-api="${origin}${content}/" data-locale="en" crossorigin="anonymous"></script>
      <button data-portal="signup">Subscribe</button>`,
    {
      "/portal.min.js": compressed(script, "text/javascript"),
      "/members/api/member/": () => new Response(null, { status: 204 }),
      [`${content}/settings/`]: ({ origin }) =>
        Response.json({ settings: { ...SETTINGS, url: `${origin}/` } }),
      [`${content}/tiers/`]: () => Response.json({ tiers: TIERS }),
      [`${content}/newsletters/`]: () => Response.json({ newsletters: NEWSLETTERS }),
    },
  );
}
