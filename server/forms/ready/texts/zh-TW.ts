import type { ReadyTexts } from "../ready_texts.ts";

export const zhTW: ReadyTexts = {
  newsletter: {
    heading: "我們的電子報",
  },
  "article-end": {
    heading: "喜歡這篇文章嗎？",
    text: "透過電子郵件接收後續文章，可隨時取消訂閱。",
    button: "接收新文章",
  },
  "coupon-popup": {
    heading: "給你的見面優惠",
    text: "訂閱後，即可取得下次訂購可用的折扣碼。",
    button: "取得折扣碼",
  },
  waitlist: {
    heading: "加入候補名單",
    text: "搶先得知開放消息。",
    button: "加入",
  },
  event: {
    heading: "歡迎參加我們的活動",
    text: "報名後，我們會透過電子郵件寄送所有詳情。",
    button: "報名",
  },
  "lead-magnet": {
    heading: "我們的免費指南",
    text: "填寫你的電子郵件地址，我們會將指南寄給你。",
    button: "取得指南",
  },
  "back-in-stock": {
    heading: "暫時缺貨",
    text: "商品到貨後，我們會透過電子郵件通知你。",
    button: "通知我",
  },
  "exit-popup": {
    heading: "離開之前",
    text: "透過電子郵件接收我們最好的優惠，可隨時取消訂閱。",
  },
  "deadline-bar": {
    heading: "限時優惠",
    text: "立即訂閱，別錯過我們的優惠。",
  },
  "two-step-popup": {
    heading: "想收到我們的消息嗎？",
    texts: { next: "好" },
  },
};
