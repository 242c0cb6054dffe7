import { ar } from "./texts/ar.ts";
import { ca } from "./texts/ca.ts";
import { cs } from "./texts/cs.ts";
import { da } from "./texts/da.ts";
import { de } from "./texts/de.ts";
import { el } from "./texts/el.ts";
import { en } from "./texts/en.ts";
import { es } from "./texts/es.ts";
import { fi } from "./texts/fi.ts";
import { fr } from "./texts/fr.ts";
import { he } from "./texts/he.ts";
import { hu } from "./texts/hu.ts";
import { it } from "./texts/it.ts";
import { ja } from "./texts/ja.ts";
import { ko } from "./texts/ko.ts";
import { nb } from "./texts/nb.ts";
import { nl } from "./texts/nl.ts";
import { pl } from "./texts/pl.ts";
import { pt } from "./texts/pt.ts";
import { ptBR } from "./texts/pt-BR.ts";
import { ro } from "./texts/ro.ts";
import { sv } from "./texts/sv.ts";
import { tr } from "./texts/tr.ts";
import { uk } from "./texts/uk.ts";
import { zhCN } from "./texts/zh-CN.ts";
import { zhTW } from "./texts/zh-TW.ts";
import type { ReadyTexts } from "./ready_texts.ts";

/** The texts of the ready forms by locale, for each language with built-in texts. */
export const READY_TEXTS: Readonly<Record<string, ReadyTexts>> = {
  en,
  ar,
  ca,
  cs,
  da,
  de,
  el,
  es,
  fi,
  fr,
  he,
  hu,
  it,
  ja,
  ko,
  nb,
  nl,
  pl,
  pt,
  "pt-BR": ptBR,
  ro,
  sv,
  tr,
  uk,
  "zh-CN": zhCN,
  "zh-TW": zhTW,
};
