/** The languages, each by its own name. */
import { languageNames, languages } from "../texts/Translation.ts"
import styles from "./Segments.module.css"
import { useFirstWords } from "./Words.tsx"

/** The switch. */
export const LanguageSwitch = () => {
  const { texts, language, choose } = useFirstWords()
  return (
    <fieldset className={styles["segments"]}>
      <legend className="visually-hidden">{texts.login.language}</legend>
      {languages.map((each) => (
        <button key={each} type="button" lang={each} aria-pressed={each === language} onClick={() => choose(each)}>
          {languageNames[each]}
        </button>
      ))}
    </fieldset>
  )
}
