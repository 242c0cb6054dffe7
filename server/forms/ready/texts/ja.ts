import type { ReadyTexts } from "../ready_texts.ts";

export const ja: ReadyTexts = {
  newsletter: {
    heading: "ニュースレター",
  },
  "article-end": {
    heading: "この記事はお役に立ちましたか？",
    text: "今後の記事をメールでお届けします。配信はいつでも停止できます。",
    button: "新しい記事を受け取る",
  },
  "coupon-popup": {
    heading: "はじめての方への割引",
    text: "登録すると、次回のご注文に使える割引コードを受け取れます。",
    button: "コードを受け取る",
  },
  waitlist: {
    heading: "順番待ちリストに登録する",
    text: "開始のお知らせをいち早くお送りします。",
    button: "登録する",
  },
  event: {
    heading: "イベントへのご案内",
    text: "お申し込みいただくと、詳細をメールでお送りします。",
    button: "申し込む",
  },
  "lead-magnet": {
    heading: "無料ガイド",
    text: "メールアドレスをご入力いただくと、ガイドをお送りします。",
    button: "ガイドを受け取る",
  },
  "back-in-stock": {
    heading: "ただいま在庫切れです",
    text: "この商品が再入荷しましたら、メールでお知らせします。",
    button: "通知を受け取る",
  },
  "exit-popup": {
    heading: "お帰りになる前に",
    text: "とっておきのお得な情報をメールでお送りします。配信はいつでも停止できます。",
  },
  "deadline-bar": {
    heading: "期間限定",
    text: "今すぐ登録して、お得な機会をお見逃しなく。",
  },
  "two-step-popup": {
    heading: "最新情報をお送りしてもよろしいですか？",
    texts: { next: "はい、受け取る" },
  },
};
