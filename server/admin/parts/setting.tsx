import type { ComponentChildren, VNode } from "preact";
import { settingAt, type SettingPath } from "../../settings/schema/schema.ts";
import type { Setting as Declared } from "../../platform/config/setting.ts";
import { DeclaredInput } from "./declared_input.tsx";
import type { Option } from "./field.tsx";
import { SecretField } from "./secret_field.tsx";
import { WithCode } from "./with_code.tsx";

interface Own {
  /** The options, if they are not part of the declaration. */
  options?: Option[];
  /** The saved value of a secret. */
  secret?: string;
  /** Follows the declared help: links, and what depends on other settings. */
  children?: ComponentChildren;
}

/** The input of a setting, in the form of its tab. */
export function Setting({ of, ...own }: Own & { of: SettingPath }): VNode {
  return <SettingInput {...settingAt(of)} {...own} />;
}

/** The input of a declaration. */
export function SettingInput({ path, schema, about, options, secret, children }: Own & Declared): VNode {
  const text = about.help && <WithCode text={about.help} />;
  const help = text && children ? <>{text} {children}</> : text ?? children;
  const field = { path: `fields.${path.slice(path.indexOf(".") + 1)}`, help };
  return about.secret
    ? <SecretField {...field} label={about.label} secret={secret ?? ""} />
    : <DeclaredInput {...field} schema={schema} about={about} {...(options && { options })} />;
}
