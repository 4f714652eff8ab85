/** How a program checks that a message is ours: what the documentation says, in the language of the program. */

import { verifiers } from "virtual:verifiers"
import { Copy } from "lucide-react"
import { useState } from "react"
import { serverPath } from "../../browser/Place.ts"
import { Button } from "../../parts/Button.tsx"
import { CodeText } from "../../parts/CodeText.tsx"
import segments from "../../parts/Segments.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Webhooks.module.css"

/** The code, folded until it is wanted. */
export const Verifier = () => {
  const { texts, language } = useWords()
  const { common } = texts
  const hooks = useWebhooksTexts()
  const [chosen, setChosen] = useState(0)
  const copy = useCopy()
  const code = verifiers[chosen]?.code ?? ""
  return (
    <details className={styles["verifier"]}>
      <summary>{hooks.verifier}</summary>
      <p>{hooks.verifierText}</p>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{hooks.verifier}</legend>
        {verifiers.map(({ name }, index) => (
          <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      <CodeText name={hooks.verifier} text={code} />
      <div className={styles["actions"]}>
        <Button look="plain" isSmall onClick={() => copy(code)}>
          <Copy size={18} aria-hidden />
          {common.copy}
        </Button>
        <a href={`${serverPath}/docs/${language === "en" ? "en" : "ru"}/webhooks`} target="_blank" rel="noreferrer">
          {hooks.docs}
        </a>
      </div>
    </details>
  )
}
