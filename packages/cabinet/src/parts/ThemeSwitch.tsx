/** Light, dark, or as the system has it. */
import { useState } from "react"
import { chooseTheme, chosenTheme, type Theme, themes } from "../browser/Theme.ts"
import styles from "./Segments.module.css"
import { useFirstWords } from "./Words.tsx"

/** The switch. */
export const ThemeSwitch = () => {
  const { texts } = useFirstWords()
  const [chosen, setChosen] = useState<Theme>(chosenTheme)
  const choose = (theme: Theme) => {
    chooseTheme(theme)
    setChosen(theme)
  }
  return (
    <fieldset className={styles["segments"]}>
      <legend className="visually-hidden">{texts.shell.theme}</legend>
      {themes.map((theme) => (
        <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => choose(theme)}>
          {texts.shell.themes[theme]}
        </button>
      ))}
    </fieldset>
  )
}
