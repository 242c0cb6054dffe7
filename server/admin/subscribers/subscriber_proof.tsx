import { directionOf } from "../../../shared/texts/locales.ts";
import type { ConsentWithText } from "../../signup/record/consents_with_text.ts";
import { momentText } from "../frame/dates.ts";
import { CONFIRMED_BY, signedUpVia } from "../../subscribers/person/timeline.ts";
import type { SignupRecord } from "../../signup/record/row.ts";
import { ConsentText } from "../parts/consent_text.tsx";
import { Table } from "../parts/table.tsx";
import type { View } from "../frame/view.ts";
import { languageName } from "../../platform/words/language_name.ts";
import { listName } from "../parts/lists.ts";

/** The proof of consent as a sheet. It is the only part of the page that is printed. */
export function ProofOfConsent(
  { view, record, consents }: { view: View; record: SignupRecord; consents: readonly ConsentWithText[] },
) {
  const { email, list, confirmed, name } = record;
  const { baseUrl } = view.app.config;
  const { organization } = view.app.settings.current().privacy;
  return (
    <section class="card proof" id="proof" aria-labelledby="proof-title">
      <header>
        <div>
          <p class="issuer">{organization || new URL(baseUrl).host}</p>
          <h2 id="proof-title">Proof of consent</h2>
          <p class="lead">
            Record of consent, for the data subject or a supervisory authority. Times are in UTC.
          </p>
        </div>
      </header>
      {organization === "" && view.may("settings") && (
        <p class="help no-print">
          To show your organization's name here, enter it on the{" "}
          <a href={view.href("/privacy")}>Privacy page</a>.
        </p>
      )}
      <dl class="facts">
        <dt>Email address</dt>
        <dd>{email}</dd>
        {name && (
          <>
            <dt>Name</dt>
            <dd>{name}</dd>
          </>
        )}
        <dt>List</dt>
        <dd>{listName(view, list)} ({list})</dd>
        <dt>Confirmed</dt>
        <dd>{confirmed ? `${momentText(confirmed.at, true)} (${CONFIRMED_BY[confirmed.by]})` : "not yet"}</dd>
      </dl>
      <Table
        caption="Signups with the consent text that was shown"
        rows={consents}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Signed up",
            cell: (consent) => (
              <>
                {momentText(consent.at, true)}
                <p class="help">{signedUpVia(consent)}</p>
              </>
            ),
          },
          { title: "Consent", cell: (consent) => <Consents consent={consent} /> },
          {
            title: "IP and language",
            cell: ({ ip, locale }) => (
              <>
                {ip ?? "IP address not stored"}
                <p class="help">{languageName(locale)}</p>
              </>
            ),
          },
        ]}
      />
      <p class="help">Generated {momentText(view.now, true)} by {baseUrl}.</p>
    </section>
  );
}

/** The answers to every consent that the form showed. */
function Consents({ consent }: { consent: ConsentWithText }) {
  const { given, text, textHash, locale, consents = [] } = consent;
  if (text === undefined && consents.length === 0) return <>No consent text was shown.</>;
  return (
    <>
      {text !== undefined && <Consent given={given} text={text} textHash={textHash} locale={locale} />}
      {consents.map(({ field, given, text = "", textHash }) => (
        <Consent key={field} given={given} text={text} textHash={textHash} locale={locale} />
      ))}
    </>
  );
}

function Consent(
  { given, text, textHash, locale }: {
    given: boolean;
    text: string;
    textHash: string | undefined;
    locale: string;
  },
) {
  return (
    <>
      {given ? "Agreed to:" : "Shown but not ticked:"}
      <blockquote lang={locale} dir={directionOf(locale)}>
        <ConsentText text={text} />
      </blockquote>
      {textHash && <p class="help hash">SHA-256 of the text: {textHash}</p>}
    </>
  );
}
