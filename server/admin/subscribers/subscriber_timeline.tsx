import { directionOf } from "../../../shared/texts/locales.ts";
import { type IconName } from "../frame/icon_shapes.ts";
import type { ConsentWithText } from "../../signup/record/consents_with_text.ts";
import { weekdayText } from "../frame/dates.ts";
import type { TimelineEntry } from "../../subscribers/person/timeline.ts";
import type { TimelineDay, TimelineItem } from "../../subscribers/person/timeline_days.ts";
import { dayOf, timeOf } from "../../subscribers/search/dates.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icons.tsx";
import { ConsentText } from "../parts/consent_text.tsx";
import { languageName } from "../../platform/words/language_name.ts";

const ICONS: Record<TimelineEntry["kind"], IconName> = {
  signup: "person",
  status: "mail",
  list: "mail",
  delivery: "send",
  waiting: "clock",
  admin: "users",
  coupon: "coupon",
};

function iconOf({ kind, tone }: TimelineItem): IconName {
  if (tone === "good") return "check";
  return tone === "bad" ? "alert" : ICONS[kind];
}

/** What happened to a signup, by day, newest first. */
export function Timeline(
  { days, zone, now }: { days: readonly TimelineDay[]; zone: string; now: number },
) {
  return (
    <Card title="Timeline" lead={`Newest first. Times are in ${zone}. Shows only events that cfbe recorded.`}>
      {days.map(({ day, items }) => (
        <section key={day} class="day">
          <h3>{dayTitle(day, dayOf(now, zone))}</h3>
          <ol class="timeline">
            {items.map((item, index) => <Item key={index} item={item} zone={zone} />)}
          </ol>
        </section>
      ))}
    </Card>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns a day as `Today`, `Yesterday` or `Sunday 29 Mar 2026`. Both days are such as `2026-03-29`. */
function dayTitle(day: string, today: string): string {
  const [at, now] = [Date.parse(day), Date.parse(today)];
  if (at === now) return "Today";
  return at === now - DAY_MS ? "Yesterday" : weekdayText(at);
}

function Item({ item, zone }: { item: TimelineItem; zone: string }) {
  const { at, title, detail, tone, consent, technical } = item;
  return (
    <li class={tone}>
      <span class="event">
        <Icon name={iconOf(item)} />
      </span>
      <div>
        <p>
          <strong>{title}</strong> {detail && <span>{detail}</span>}
        </p>
        {consent && <ConsentDetails consent={consent} title={title} />}
        {technical.length > 0 && (
          <details>
            <summary>
              Details <span class="hidden">of: {title}</span>
            </summary>
            <ul class="help">
              {technical.map((text, index) => <li key={index}>{text}</li>)}
            </ul>
          </details>
        )}
      </div>
      <time dateTime={new Date(at).toISOString()}>{timeOf(at, zone)}</time>
    </li>
  );
}

function ConsentDetails(
  { consent: { given, text, ip, locale }, title }: { consent: ConsentWithText; title: string },
) {
  return (
    <details>
      <summary>
        {text === undefined ? "Details" : given ? "Agreed to a consent text" : "Consent text not ticked"}{" "}
        <span class="hidden">of: {title}</span>
      </summary>
      {text === undefined
        ? <p class="help">No consent text was shown.</p>
        : (
          <blockquote lang={locale} dir={directionOf(locale)}>
            <ConsentText text={text} />
          </blockquote>
        )}
      <p class="help">
        {ip === null ? "IP address not stored." : `IP ${ip}.`} Language: {languageName(locale)}.
      </p>
    </details>
  );
}
