/** A key that is shown this once. */
import { Copy } from "lucide-react"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import rows from "../../parts/Rows.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import { useClientsTexts } from "./Texts.ts"

interface KeyShownProps {
  readonly title: string
  readonly text: string
  /** Null: it was shown before. */
  readonly apiKey: string | null
  readonly onClose: () => void
}

/** The dialog. */
export const KeyShown = ({ title, text, apiKey, onClose }: KeyShownProps) => {
  const words = useClientsTexts()
  const { texts } = useWords()
  const copy = useCopy()
  return (
    <Dialog title={title} text={apiKey === null ? null : text} onClose={onClose}>
      {apiKey !== null && (
        <>
          <output className={rows["secret"]} aria-label={words.key}>
            {apiKey}
          </output>
          <Button onClick={() => copy(apiKey)} autoFocus>
            <Copy size={18} aria-hidden />
            {texts.common.copy}
          </Button>
        </>
      )}
      <Button look="plain" onClick={onClose}>
        {words.kept}
      </Button>
    </Dialog>
  )
}
