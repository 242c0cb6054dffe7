/** A shop with one page per form, and the program that the forms belong to. */
import { richForm } from "../dev/testing/rich_form.ts";
import { startProgram } from "../dev/testing/program.ts";
import { signLink } from "../server/shops/carts/links.ts";

const PAGES: Record<string, string> = {
  inline: '<cfbe-form form="footer"></cfbe-form>',
  own:
    `<form data-cfbe-form="footer" action="/form" method="post"><label>E-mail <input name="email" type="email"
    required></label><button>Subscribe</button> <output data-cfbe-message></output></form>`,
  block: '<cfbe-form form="section"></cfbe-form>',
  promo: '<cfbe-form form="strip"></cfbe-form>',
  popup: "<button data-cfbe-open>Get 10% off</button>",
  slide: '<button data-cfbe-open="corner">Get 10% off</button>',
  bar: '<button data-cfbe-open="top">Get 10% off</button>',
  rich: '<button data-cfbe-open="rich">Get 10% off</button>',
};

const BIRTHDAY = { name: "birthday", kind: "date" as const, label: "Birthday", withoutYear: true };
const rich = richForm("rich", Date.now());

const SETTINGS = {
  forms: {
    forms: [
      { name: "footer" },
      { name: "section", layout: "block" as const },
      { name: "strip", layout: "promo" as const },
      { name: "corner", opens: { kind: "slide-in" as const } },
      { name: "top", opens: { kind: "bar-top" as const } },
      { ...rich, fields: rich.fields!.with(-1, BIRTHDAY) },
    ],
  },
  popup: { enabled: true, triggers: { exitIntent: true } },
};

export const FORMS = Object.keys(PAGES);

/** Returns whether a button on the page of a form opens it. */
export const isOpenedByButton = (form: string): boolean => PAGES[form]!.includes("data-cfbe-open");

export interface Site extends AsyncDisposable {
  /** The page of a form is at `<origin>/<form>`. */
  origin: string;
  /** Public URL of the program. */
  baseUrl: string;
  /** URL of the page on which somebody opts out of cart reminders. */
  cartStop: string;
}

export async function startSite(): Promise<Site> {
  let signups = 0;
  // Several visits to each form are more signups per minute than one IP, and even one site, may send.
  const filters = { cfbe_client_ip: () => `192.0.2.${++signups}`, cfbe_signup_site_limit: () => 0 };
  const program = await startProgram({ file: { settings: SETTINGS, filters } });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const form = new URL(url).pathname.slice(1);
    return new Response(
      `<!doctype html><html lang="en"><title>A shop</title><link rel="icon" href="data:,">
        <script async src="${program.baseUrl}/cfbe.js?${form}"></script><h1>A shop</h1>${PAGES[form]}</html>`,
      { headers: { "content-type": "text/html; charset=utf-8" } },
    );
  });
  return {
    origin: `http://127.0.0.1:${server.addr.port}`,
    baseUrl: program.baseUrl,
    cartStop: `${program.baseUrl}/cart-stop/${
      signLink(program.services.keyring, "cfbe/cart-stop", "a".repeat(43))
    }`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await program[Symbol.asyncDispose]();
    },
  };
}
