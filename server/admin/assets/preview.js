// The real widget, on a page where nothing is sent and nothing is remembered.
const { base } = document.querySelector("script[data-base]").dataset;

addEventListener("cfbe-beforesubmit", (event) => event.preventDefault(), true);

// What a browser has kept of the settings may be a minute old; what is looked at here was saved just now.
await fetch(`${base}/cfbe.json?locale=${document.documentElement.lang}`, { cache: "reload" }).catch(() => {});

const script = document.createElement("script");
script.src = `${base}/cfbe.js`;
script.dataset.storage = "none";
document.head.append(script);
