import { hydrateRoot } from "react-dom/client";
import { App } from "./app.tsx";

hydrateRoot(document.getElementById("root")!, <App script={document.documentElement.dataset.script!} />, {
  onRecoverableError: (error) => console.error("hydration error", error),
});
