import type { VNode } from "preact";
import type { Settings } from "../../settings/schema/schema.ts";
import { settingsOfForm } from "../../settings/forms/form_settings.ts";
import { signFormConfig } from "../../forms/public/signed_config.ts";
import { destinationOf } from "../../forms/public/test_form.ts";
import { requiredInOwnMarkup } from "./own_markup_texts.ts";
import { Card } from "../parts/card.tsx";
import { Notice } from "../parts/notice.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { scriptTag, snippetLocales, snippetsFor } from "./snippets.ts";
import { stateNow, stateSentence } from "./status.tsx";
import type { View } from "../frame/view.ts";

/** The snippets that put a form on a page. */
export function Embed(
  { view, form }: { view: View<"keyring">; form: Settings["forms"]["forms"][number] },
): VNode {
  const { config, settings, keyring } = view.app;
  const snippets = snippetsFor(config.baseUrl, form, settings.current(), snippetLocales(view), view.now);
  const { name } = form;
  const required = requiredInOwnMarkup(settingsOfForm(settings.current(), { name }, []));
  const hasTargeting = form.targeting.length > 0;
  const cssPurpose = hasTargeting ? "reserves no height" : "reserves the form's height";
  const cfg = signFormConfig(keyring, { form: name, placement: name, ...destinationOf(form) });
  return (
    <Card
      id="embed"
      title="Embed"
      lead="Your pages refer to the form by its name, so most changes need no update there. After a change of layout, or of what the form shows, copy the snippet again: it has the layout and the reserved height."
    >
      {stateNow(view, form) !== "live" && (
        <Notice kind="plain">
          {stateSentence(view, form, undefined)}{" "}
          You can copy the snippet already: its place stays empty. A form in your own markup is always
          visible.
        </Notice>
      )}
      {form.opens && (
        <>
          <Snippet id="snippet-script" label="Opens by itself on every page with the script">
            {scriptTag(config.baseUrl)}
          </Snippet>
          <Snippet id="snippet-open" label="Optional: your own button that opens it">
            {`<button type="button" data-cfbe-open="${name}">Newsletter</button>`}
          </Snippet>
        </>
      )}
      {hasTargeting && (
        <Notice kind="plain">
          The form has targeting, so the snippet reserves no height: the form leaves no space where it is not
          shown. If you embedded it before you set the targeting, copy the snippet again.
        </Notice>
      )}
      <Snippet
        id="snippet-html"
        label={form.opens ? "Optional: the form in the content of a page, too" : "HTML for any page"}
      >
        {snippets.html}
      </Snippet>
      <p class="help">
        The script contains this form, so that it appears after one request. If your page has{" "}
        <code>cfbe.js</code> already, for example for another form or the popup, leave out the first line.
      </p>
      <details>
        <summary>Your own markup</summary>
        {required && <Notice kind="warn">{required}</Notice>}
        <Snippet id="snippet-own" label="Your own form, with your own styles">{snippets.own}</Snippet>
      </details>
      <details>
        <summary>React</summary>
        <Snippet
          id="snippet-react-install"
          label="Install the npm package: the file of the release, or one built with deno task pack"
        >
          {snippets.reactInstall}
        </Snippet>
        <Snippet id="snippet-react" label="React, with the npm package">{snippets.react}</Snippet>
        <Snippet id="snippet-react-css" label={`CSS for your style sheet: ${cssPurpose}`}>
          {snippets.css}
        </Snippet>
      </details>
      <details>
        <summary>WordPress</summary>
        <p class="help">
          Upload <a href={view.href("/wordpress/cfbe.zip")} download>the plugin (cfbe.zip)</a>{" "}
          in WordPress under Plugins → Add New, and activate it. Then enter <code>{config.baseUrl}</code>{" "}
          under Settings → cfbe, and choose “Connect to cfbe”.
        </p>
        <Snippet id="snippet-wordpress" label="WordPress shortcode">
          {snippets.wordpress}
        </Snippet>
        <Snippet id="snippet-wordpress-css" label={`Additional CSS: ${cssPurpose}`}>
          {snippets.wordpressCss}
        </Snippet>
      </details>
      <details>
        <summary>Signed configuration</summary>
        <p class="help">
          Use as <code>cfg="…"</code> beside <code>form="{name}"</code>, or in a hidden <code>cfbe_cfg</code>
          {" "}
          field, to freeze the current list and tags on a page.
        </p>
        <Snippet id="snippet-cfg" label="cfbe_cfg">{cfg}</Snippet>
      </details>
    </Card>
  );
}
