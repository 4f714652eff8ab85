/** Light or dark: as the system has it, or as a person chose for this device. */
import { prefer, preferences } from "./Preferences.ts"

/** What may be chosen. */
export const themes = ["system", "light", "dark"] as const

/** One of them. */
export type Theme = (typeof themes)[number]

/** What is chosen. */
export const chosenTheme = (): Theme => preferences().theme ?? "system"

/** Shows the page in what is chosen. */
export const applyTheme = (): void => {
  const theme = chosenTheme()
  if (theme === "system") document.documentElement.removeAttribute("data-theme")
  else document.documentElement.setAttribute("data-theme", theme)
}

/** Chooses, and shows it at once. */
export const chooseTheme = (theme: Theme): void => {
  prefer({ theme: theme === "system" ? undefined : theme })
  applyTheme()
}

const darkSystem = "(prefers-color-scheme: dark)"

/** Whether the page is dark at this moment. */
export const isDarkNow = (): boolean => {
  const theme = chosenTheme()
  return theme === "system" ? matchMedia(darkSystem).matches : theme === "dark"
}

/** Hears of the system's change between light and dark; the answer ends it. */
export const onSystemTheme = (listener: () => void): (() => void) => {
  const system = matchMedia(darkSystem)
  system.addEventListener("change", listener)
  return () => system.removeEventListener("change", listener)
}

/** Hears of every change of what the page is shown in, by the system or by the person; the answer ends it. */
export const onTheme = (listener: () => void): (() => void) => {
  const chosen = new MutationObserver(listener)
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] })
  const quiet = onSystemTheme(listener)
  return () => {
    chosen.disconnect()
    quiet()
  }
}
