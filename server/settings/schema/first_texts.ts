import { LOCALES, matchLocale } from "../../../shared/texts/locales.ts";

/** By locale, for each language with built-in texts. */
type ByLocale = Readonly<Record<string, string>>;

const CONSENT: ByLocale = {
  en: "I want to receive the newsletter by email. I can unsubscribe at any time.",
  ar: "أرغب في تلقي النشرة الإخبارية عبر البريد الإلكتروني. يمكنني إلغاء الاشتراك في أي وقت.",
  ca: "Vull rebre el butlletí per correu electrònic. Me’n puc donar de baixa quan vulgui.",
  cs: "Chci dostávat newsletter e-mailem. Odběr mohu kdykoli zrušit.",
  da: "Jeg vil gerne modtage nyhedsbrevet på e-mail. Jeg kan afmelde mig når som helst.",
  de: "Ich möchte den Newsletter per E-Mail erhalten. Ich kann mich jederzeit abmelden.",
  el: "Θέλω να λαμβάνω το newsletter με email. Μπορώ να διαγραφώ όποτε θέλω.",
  es: "Quiero recibir el boletín por correo electrónico. Puedo darme de baja en cualquier momento.",
  fi: "Haluan saada uutiskirjeen sähköpostitse. Voin peruuttaa tilauksen milloin tahansa.",
  fr: "Je souhaite recevoir la newsletter par e-mail. Je peux me désabonner à tout moment.",
  he: "ברצוני לקבל את הניוזלטר בדואר אלקטרוני. אפשר לבטל את ההרשמה בכל עת.",
  hu: "Szeretnék e-mailben hírlevelet kapni. Bármikor leiratkozhatok.",
  it: "Desidero ricevere la newsletter via email. Posso annullare l'iscrizione in qualsiasi momento.",
  ja: "ニュースレターをメールで受け取ることを希望します。いつでも配信を停止できます。",
  ko: "이메일로 뉴스레터를 받고 싶습니다. 언제든지 구독을 취소할 수 있습니다.",
  nb: "Jeg vil motta nyhetsbrevet på e-post. Jeg kan melde meg av når som helst.",
  nl: "Ik wil de nieuwsbrief per e-mail ontvangen. Ik kan me op elk moment afmelden.",
  pl: "Chcę otrzymywać newsletter e-mailem. Mogę zrezygnować w każdej chwili.",
  pt: "Quero receber a newsletter por email. Posso cancelar a subscrição a qualquer momento.",
  "pt-BR": "Quero receber a newsletter por e-mail. Posso cancelar a inscrição a qualquer momento.",
  ro: "Vreau să primesc newsletterul prin e-mail. Mă pot dezabona oricând.",
  sv: "Jag vill få nyhetsbrevet via e-post. Jag kan avsluta prenumerationen när som helst.",
  tr: "Bülteni e-posta ile almak istiyorum. İstediğim zaman abonelikten çıkabilirim.",
  uk: "Я хочу отримувати розсилку електронною поштою. Я можу відписатися будь-коли.",
  "zh-CN": "我希望通过电子邮件接收新闻通讯，并可随时退订。",
  "zh-TW": "我希望透過電子郵件收到電子報，並可隨時取消訂閱。",
};

const BIRTHDAY: ByLocale = {
  en: "Birthday",
  ar: "تاريخ الميلاد",
  ca: "Aniversari",
  cs: "Narozeniny",
  da: "Fødselsdag",
  de: "Geburtstag",
  el: "Γενέθλια",
  es: "Cumpleaños",
  fi: "Syntymäpäivä",
  fr: "Anniversaire",
  he: "יום הולדת",
  hu: "Születésnap",
  it: "Compleanno",
  ja: "誕生日",
  ko: "생일",
  nb: "Bursdag",
  nl: "Verjaardag",
  pl: "Urodziny",
  pt: "Aniversário",
  "pt-BR": "Aniversário",
  ro: "Ziua de naștere",
  sv: "Födelsedag",
  tr: "Doğum günü",
  uk: "День народження",
  "zh-CN": "生日",
  "zh-TW": "生日",
};

/** Texts to begin with. A form with the English one shows that of the visitor's language. */
export const FIRST_TEXTS = { consent: CONSENT, birthday: BIRTHDAY };

/** Returns a text in one language. The one to begin with is translated, like every built-in text. */
export function firstTextIn(locale: string, of: keyof typeof FIRST_TEXTS, text: string): string {
  const first = FIRST_TEXTS[of];
  return text === first["en"] ? first[matchLocale([locale], LOCALES)]! : text;
}
