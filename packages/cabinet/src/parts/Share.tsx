/** Addresses that are handed on: into the clipboard, or to another application of the device. */
import { Copy, Share2 } from "lucide-react"
import { Button } from "./Button.tsx"
import { useNotify } from "./Notices.tsx"
import { useWords } from "./Words.tsx"

/** Copies a text, and says so. */
export const useCopy = (): ((text: string) => void) => {
  const { texts } = useWords()
  const notify = useNotify()
  return (text) => {
    // Pages that are not reached by https have no clipboard.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("no clipboard"))
    void written.then(
      () => notify({ title: texts.common.copied, tone: "good" }),
      () => notify({ title: texts.common.failed, text, tone: "bad" })
    )
  }
}

interface ShareProps {
  readonly url: string
  readonly copyText: string
  readonly shareText: string
}

/** Buttons for both; the second one only where there is something to share with. */
export const Share = ({ url, copyText, shareText }: ShareProps) => {
  const copy = useCopy()
  const hasShare = typeof navigator.share === "function"
  return (
    <>
      <Button look="plain" isSmall onClick={() => copy(url)}>
        <Copy size={18} aria-hidden />
        {copyText}
      </Button>
      {hasShare && (
        <Button look="plain" isSmall onClick={() => void navigator.share({ url }).catch(() => undefined)}>
          <Share2 size={18} aria-hidden />
          {shareText}
        </Button>
      )}
    </>
  )
}
