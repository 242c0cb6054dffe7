import { PasskeyButton } from "../parts/passkey_button.tsx";
import { type MessagePage, PasswordField, renderMessagePage } from "./sign_in_page.tsx";

/** Field of the password. Like everything that begins with `_`, it is no part of an action's input. */
export const PASSWORD_FIELD = "_password";
/** Field of the answer of a passkey, in place of the password. */
export const PASSKEY_FIELD = "_passkey";

/**
 * Renders the page that asks for the password of a user who is signed in, and then repeats their request.
 *
 * @param page.action URL that the request was sent to
 * @param page.fields what it had sent, without a password
 * @param page.passkey what the browser needs to use a passkey of the user, if they have one
 * @param page.download whether the response is a file, for which browsers leave this page open
 */
export function passwordPage(
  page: MessagePage & {
    name: string;
    what: string;
    action: string;
    fields: Iterable<readonly [string, string]>;
    back: string;
    passkey: object | undefined;
    hasPassword: boolean;
    /** Whether a password is not enough. */
    withoutPassword: boolean;
    /** URL of the identity provider's sign-in; undefined if the user has no account there. */
    again: string | undefined;
    download?: boolean;
  },
): string {
  const { name, what, action, fields, back, passkey, hasPassword, withoutPassword, again, download = false } =
    page;
  return renderMessagePage(
    page,
    hasPassword ? "Confirm your password" : "Confirm that it is you",
    <form class="form" method="post" action={action} data-form={download ? "leave" : ""}>
      <p>
        <strong>{what}</strong>: for this, cfbe asks again who you are,{" "}
        {withoutPassword
          ? "and a password is not enough."
          : "unless you have signed in or confirmed it in the last ten minutes."} {download &&
          "The file is then downloaded."}
      </p>
      {[...fields].map(([field, value], index) => (
        <input key={index} type="hidden" name={field} value={value} />
      ))}
      <div class="field">
        <label for="name">Name</label>
        <input id="name" value={name} readOnly autocomplete="username" />
      </div>
      {hasPassword && (
        <>
          <PasswordField name={PASSWORD_FIELD} problem={page.problem} focused />
          <button type="submit" class="primary">Continue</button>
        </>
      )}
      {passkey && <PasskeyButton use="get" field={PASSKEY_FIELD} label="Use a passkey" options={passkey} />}
      {again !== undefined && page.provider && (
        <>
          <a class="button" href={again}>Sign in again with {page.provider}</a>
          <p class="help">
            You then come back to the page that you were on, and can do it within ten minutes.
          </p>
        </>
      )}
      {!hasPassword && !passkey && again === undefined && (
        <p>
          You have no passkey{page.provider && ` and no account at ${page.provider}`}{" "}
          with which you can confirm it. Ask an admin for a sign-in link.
        </p>
      )}
      <a href={back}>{download ? "Back to the admin" : "Cancel"}</a>
      <div data-status />
    </form>,
  );
}
