/** The secret of an endpoint, which is shown this once, and how a program uses it. */
import { Copy } from "lucide-react"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import rows from "../../parts/Rows.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWebhooksTexts } from "../../parts/WebhookWords.ts"
import { useWords } from "../../parts/Words.tsx"
import { Verifier } from "./Verifier.tsx"

interface SecretDialogProps {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}

/** The dialog. */
export const SecretDialog = ({ title, text, secret, onClose }: SecretDialogProps) => {
  const { texts } = useWords()
  const hooks = useWebhooksTexts()
  const copy = useCopy()
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      <output className={rows["secret"]} aria-label={title}>
        {secret}
      </output>
      <Button onClick={() => copy(secret)} autoFocus>
        <Copy size={18} aria-hidden />
        {texts.common.copy}
      </Button>
      <Verifier />
      <Button look="plain" onClick={onClose}>
        {hooks.kept}
      </Button>
    </Dialog>
  )
}
