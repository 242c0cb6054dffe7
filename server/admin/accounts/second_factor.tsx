import { encode } from "uqr";
import { counted } from "../../platform/words/counted.ts";
import type { BegunSecondFactor, RecoveryCodes } from "./actions/second_factor.ts";
import type { SecondFactor, SecondFactors } from "../auth/second_factor/store.ts";
import { at } from "../frame/ajax_body.ts";
import type { View } from "../frame/view.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { CopyField } from "../parts/copy_field.tsx";
import { TextField } from "../parts/field.tsx";
import { PostForm } from "../parts/form.tsx";
import { Badge } from "../parts/notice.tsx";
import { Moment } from "../parts/site_time.tsx";

type AccountView = View<"admin">;

/** The second factor of the own account: off, being set up, or on; and recovery codes that were just created. */
export async function secondFactorCard(view: AccountView) {
  const { secondFactors } = view.app.admin;
  const { name } = view.actor;
  const factor = await secondFactors.of(name);
  if (factor) return <On view={view} factor={factor} />;
  const seed = begunSeed(view);
  if (seed === undefined) return <Off view={view} />;
  const secret = await secondFactors.shown(name, seed, `${new URL(view.app.config.baseUrl).host} (cfbe)`);
  return <Begun view={view} seed={seed} secret={secret} />;
}

/** Returns the seed of the secret that the user is setting up; a wrong code does not replace it. */
function begunSeed({ done, posted }: AccountView): string | undefined {
  if (done?.action === "cfbe_begin_second_factor") return (done.data as BegunSecondFactor).seed;
  const sent = posted?.action === "cfbe_enable_second_factor" ? at(posted.input, "seed") : undefined;
  return typeof sent === "string" ? sent : undefined;
}

const TITLE = "Second factor";

function Off({ view }: { view: AccountView }) {
  return (
    <Card
      title={TITLE}
      lead="Signing in then also asks for a code from an app on your phone, so that a stolen password alone opens nothing."
    >
      <PostForm view={view} action="cfbe_begin_second_factor">
        <div class="buttons">
          <button type="submit">Set up second factor</button>
        </div>
      </PostForm>
    </Card>
  );
}

function Begun(
  { view, seed, secret }: {
    view: AccountView;
    seed: string;
    secret: Awaited<ReturnType<SecondFactors["shown"]>>;
  },
) {
  return (
    <Card title={TITLE} lead="Scan this with an authenticator app, such as that of your password manager.">
      <div class="second-factor">
        <QrCode text={secret.uri} label="QR code of the secret" />
        <CopyField
          id="second-factor-secret"
          label="Secret"
          help="If you can't scan it, type this into the app."
          value={secret.text}
        />
      </div>
      <PostForm view={view} action="cfbe_enable_second_factor" match={{ seed }}>
        <TextField
          path="code"
          label="Code"
          required
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          help="The six digits that the app shows now."
        />
        <div class="buttons">
          <button type="submit" class="primary">Turn on second factor</button>
        </div>
      </PostForm>
    </Card>
  );
}

function On({ view, factor: { enabledAt, codesLeft } }: { view: AccountView; factor: SecondFactor }) {
  const made =
    view.done && ["cfbe_enable_second_factor", "cfbe_renew_recovery_codes"].includes(view.done.action)
      ? (view.done.data as RecoveryCodes).codes
      : undefined;
  return (
    <Card
      title={TITLE}
      lead={
        <>
          <Badge kind="good">on</Badge> since <Moment at={enabledAt} />.{" "}
          {counted(codesLeft, "recovery code is", "recovery codes are")}{" "}
          left. Each signs you in once, without the app.
        </>
      }
    >
      {made && <NewCodes codes={made} />}
      <div class="buttons">
        <Confirm
          view={view}
          id="renew-recovery-codes"
          button="New recovery codes"
          title="Create new recovery codes?"
          action="cfbe_renew_recovery_codes"
          yes="Create new codes"
          danger={false}
        >
          <p>The present codes stop working.</p>
        </Confirm>
        <Confirm
          view={view}
          id="disable-second-factor"
          button="Turn off"
          title="Turn off the second factor?"
          action="cfbe_disable_second_factor"
          yes="Turn off"
        >
          <p>Your password alone then signs you in. The recovery codes stop working.</p>
        </Confirm>
      </div>
    </Card>
  );
}

function NewCodes({ codes }: { codes: string[] }) {
  return (
    <>
      <p id="recovery-codes">
        <strong>
          Store these recovery codes where you find them without your phone. They are shown only now.
        </strong>
      </p>
      <ol class="recovery-codes" aria-labelledby="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
    </>
  );
}

/** A QR code: dark on light in both color schemes, as scanners expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => dark ? [`M${x} ${y}h1v1h-1z`] : [])).join(
    "",
  );
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
