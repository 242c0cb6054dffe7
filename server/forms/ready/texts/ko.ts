import type { ReadyTexts } from "../ready_texts.ts";

export const ko: ReadyTexts = {
  newsletter: {
    heading: "뉴스레터",
  },
  "article-end": {
    heading: "이 글이 마음에 드셨나요?",
    text: "다음 글을 이메일로 보내 드립니다. 언제든지 구독을 취소할 수 있습니다.",
    button: "새 글 받기",
  },
  "coupon-popup": {
    heading: "환영 할인 혜택",
    text: "구독하시면 다음 주문에 쓸 수 있는 할인 코드를 드립니다.",
    button: "코드 받기",
  },
  waitlist: {
    heading: "대기자 명단에 등록하세요",
    text: "시작 소식을 가장 먼저 알려 드립니다.",
    button: "등록하기",
  },
  event: {
    heading: "행사에 초대합니다",
    text: "신청하시면 자세한 내용을 이메일로 보내 드립니다.",
    button: "신청하기",
  },
  "lead-magnet": {
    heading: "무료 가이드",
    text: "이메일 주소를 입력하시면 가이드를 보내 드립니다.",
    button: "가이드 받기",
  },
  "back-in-stock": {
    heading: "현재 품절입니다",
    text: "이 상품이 다시 입고되면 이메일로 알려 드립니다.",
    button: "알림 받기",
  },
  "exit-popup": {
    heading: "떠나시기 전에",
    text: "가장 좋은 혜택을 이메일로 보내 드립니다. 언제든지 구독을 취소할 수 있습니다.",
  },
  "deadline-bar": {
    heading: "짧은 기간에만",
    text: "지금 구독하고 혜택을 놓치지 마세요.",
  },
  "two-step-popup": {
    heading: "소식을 받아 보시겠어요?",
    texts: { next: "네, 좋아요" },
  },
};
