import { h } from "preact";
import type { ReservedHeights } from "../../../shared/reserved_height.ts";
import { htmlDocument } from "../../platform/pages/html_document.tsx";
import { panel } from "./panel.tsx";
import { coffees, cup } from "./shop.tsx";
import { snippet, type SnippetTexts } from "./snippet.ts";

export interface DemoView {
  baseUrl: string;
  form: string;
  /** Signed configuration of the form on this page. The snippet to copy has none, so its signups are no test signups. */
  cfg: string;
  sandbox: boolean;
  canPoll: boolean;
  /** Heights to reserve for the form with `LETTER`. */
  heights: ReservedHeights;
}

/** The texts of the form on the page. */
export const LETTER: SnippetTexts = {
  heading: "The Sunday letter",
  text: "One recipe, one bean, one good read. Every other Sunday, never more.",
};

/** Renders an ordinary shop page with the snippet, and next to it the progress of a signup. */
export function demoPage(view: DemoView): string {
  const { baseUrl, form, cfg, heights } = view;
  const asset = (name: string) => `${baseUrl}/demo/assets/${name}`;
  return htmlDocument({
    locale: "en",
    title: "Halfmoon Coffee · Demo",
    head: (
      <>
        <link rel="icon" href={asset("icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={asset("demo.css")} />
        <link rel="stylesheet" href={asset("shop.css")} />
        <link rel="stylesheet" href={asset("panel.css")} />
        <link rel="stylesheet" href={`${baseUrl}/demo/form.css`} />
        <script type="module" src={asset("demo.js")} />
      </>
    ),
    body: (
      <>
        <a class="skip" href="#shop">Skip to the shop</a>
        <header>
          <p class="notice">
            Demo: this shop is fictional{view.sandbox ? ", and no real email is sent" : ""}.
          </p>
        </header>
        <div class="stage">
          <main class="shop" id="shop">
            <p class="brand">
              <img src={asset("icon.svg")} alt="" width="34" height="34" /> Halfmoon Coffee
            </p>
            <section class="hero">
              <div>
                <p class="kicker">Small roastery, open since 1987</p>
                <h1>Coffee for the hours that belong to you.</h1>
                <p>Roasted on Tuesdays, on its way by Wednesday. Three beans, no more, each at its best.</p>
              </div>
              {cup()}
            </section>
            <section class="letter" aria-label="The Sunday letter">
              <script async src={`${baseUrl}/cfbe.js`} />
              {h(
                "cfbe-form",
                { form, cfg, ...LETTER },
                <a href={`${baseUrl}/form/${form}?cfg=${cfg}`}>Subscribe</a>,
              )}
            </section>
          </main>
          {panel(view)}
          <div class="shop more">
            <section aria-labelledby="beans">
              <h2 id="beans">This month’s beans</h2>
              {coffees()}
            </section>
            <section aria-labelledby="paste">
              <div class="row">
                <h2 id="paste">The only code your page needs</h2>
                <button type="button" data-copy="">Copy</button>
              </div>
              <pre tabindex={0}><code data-snippet="">{snippet(baseUrl, form, LETTER, heights)}</code></pre>
              <p>
                <a href={`${baseUrl}/demo/gallery`}>See every form in every state</a>
              </p>
            </section>
          </div>
        </div>
      </>
    ),
  });
}
