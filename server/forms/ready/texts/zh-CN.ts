import type { ReadyTexts } from "../ready_texts.ts";

export const zhCN: ReadyTexts = {
  newsletter: {
    heading: "我们的电子报",
  },
  "article-end": {
    heading: "喜欢这篇文章吗？",
    text: "通过电子邮件接收后续文章，可随时退订。",
    button: "接收新文章",
  },
  "coupon-popup": {
    heading: "给你的见面优惠",
    text: "订阅后，即可获得下次下单可用的优惠码。",
    button: "获取优惠码",
  },
  waitlist: {
    heading: "加入候补名单",
    text: "第一时间获知开放消息。",
    button: "加入",
  },
  event: {
    heading: "欢迎参加我们的活动",
    text: "报名后，我们会通过电子邮件发送全部详情。",
    button: "报名",
  },
  "lead-magnet": {
    heading: "我们的免费指南",
    text: "填写你的邮箱地址，我们会把指南发送给你。",
    button: "获取指南",
  },
  "back-in-stock": {
    heading: "暂时缺货",
    text: "商品到货后，我们会通过电子邮件通知你。",
    button: "通知我",
  },
  "exit-popup": {
    heading: "离开之前",
    text: "通过电子邮件接收我们的最佳优惠，可随时退订。",
  },
  "deadline-bar": {
    heading: "限时优惠",
    text: "立即订阅，不要错过我们的优惠。",
  },
  "two-step-popup": {
    heading: "想收到我们的消息吗？",
    texts: { next: "好的" },
  },
};
