// The real widget, on a page that sends and stores nothing.
const { base } = document.querySelector("script[data-base]").dataset;

addEventListener("cfbe-beforesubmit", (event) => event.preventDefault(), true);

// The browser may have cached the settings for a minute. The preview shows what was saved just now.
await fetch(`${base}/cfbe.json?locale=${document.documentElement.lang}`, { cache: "reload" }).catch(() => {});

const script = document.createElement("script");
script.src = `${base}/cfbe.js`;
script.dataset.storage = "none";
document.head.append(script);
