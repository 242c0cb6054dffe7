import type { ReadyTexts } from "../ready_texts.ts";

export const tr: ReadyTexts = {
  newsletter: {
    heading: "Bültenimiz",
  },
  "article-end": {
    heading: "Bu yazıyı beğendiniz mi?",
    text: "Yeni yazılar e-postanıza gelsin. Aboneliğinizi istediğiniz zaman iptal edebilirsiniz.",
    button: "Yeni yazıları gönderin",
  },
  "coupon-popup": {
    heading: "Size hoş geldin indirimi",
    text: "Abone olun, sonraki siparişiniz için bir indirim kodu alın.",
    button: "Kodumu al",
  },
  waitlist: {
    heading: "Bekleme listesine katılın",
    text: "Başladığımızda ilk öğrenenlerden olun.",
    button: "Katıl",
  },
  event: {
    heading: "Etkinliğimize gelin",
    text: "Kaydolun, tüm ayrıntıları size e-postayla gönderelim.",
    button: "Kaydol",
  },
  "lead-magnet": {
    heading: "Ücretsiz rehberimiz",
    text: "E-posta adresinizi girin, rehberi size gönderelim.",
    button: "Rehberi gönderin",
  },
  "back-in-stock": {
    heading: "Şu anda stokta yok",
    text: "Bu ürün yeniden stokta olduğunda size e-posta göndeririz.",
    button: "Bana haber verin",
  },
  "exit-popup": {
    heading: "Gitmeden önce",
    text: "En iyi fırsatlarımız e-postanıza gelsin. Aboneliğinizi istediğiniz zaman iptal edebilirsiniz.",
  },
  "deadline-bar": {
    heading: "Yalnızca kısa bir süre için",
    text: "Şimdi abone olun, fırsatımızı kaçırmayın.",
  },
  "two-step-popup": {
    heading: "Bizden haber almak ister misiniz?",
    texts: { next: "Evet, lütfen" },
  },
};
