/** A dialog over the screen: from the bottom on phones, in the middle elsewhere. */
import { X } from "lucide-react"
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import styles from "./Dialog.module.css"
import { showModal } from "./Modal.ts"
import { useFirstWords } from "./Words.tsx"

interface DialogProps {
  readonly title: string
  readonly text?: string | null
  readonly onClose: () => void
  /** Whether it takes the width that there is, as a table needs. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** The dialog, open for as long as it is shown. The browser keeps the focus in it and gives it back afterwards. */
export const Dialog = ({ title, text = null, onClose, isWide = false, children }: DialogProps) => {
  const { texts } = useFirstWords()
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Closed while it still is in the page: once removed, the browser gives the focus to nothing.
  useLayoutEffect(() => {
    const dialog = element.current
    showModal(dialog)
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={element}
      className={styles["dialog"]}
      data-wide={isWide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className={styles["close"]} aria-label={texts.common.close} onClick={onClose}>
          <X size={20} aria-hidden />
        </button>
      </header>
      {text !== null && <p className={styles["text"]}>{text}</p>}
      {children}
    </dialog>
  )
}
