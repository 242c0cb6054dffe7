/** `import { loadCfbe } from "cfbe"`: loads the widget, with its types, in bundled apps. */
export { loadCfbe, type ScriptAttributes } from "./load.ts";
export type {
  Cfbe,
  CfbeCart,
  CfbeEvent,
  CfbeEventName,
  CfbeEvents,
  CfbeQueue,
  FormDetail,
  FormOptions,
  HeadlessSignup,
  MountedForm,
} from "../src/types.ts";
export type {
  Cart,
  FieldName,
  FormSource as Source,
  SubscribeCode as AnswerCode,
  SubscribeResponse as Answer,
} from "../../shared/contract.ts";
