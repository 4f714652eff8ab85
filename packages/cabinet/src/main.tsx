/** Where the cabinet begins in a browser. */
import "virtual:tokens.css"
import "./base.css"
import { createRoot } from "react-dom/client"
import { readSession } from "./api/Session.ts"
import { preferences } from "./browser/Preferences.ts"
import { applyTheme } from "./browser/Theme.ts"
import { loadAhead, Root } from "./Root.tsx"
import { firstLanguage, translationOf } from "./texts/Translation.ts"

applyTheme()
const root = document.getElementById("root")
if (root !== null) {
  if (preferences().returns === true) loadAhead()
  const [translation] = await Promise.all([translationOf(firstLanguage(navigator.languages)), readSession()])
  createRoot(root).render(<Root translation={translation} />)
}
