/** The login over a page whose session is over. What is below stays as it is, and goes on afterwards. */
import { useEffect, useId, useRef } from "react"
import { showModal } from "../parts/Modal.ts"
import styles from "./Login.module.css"
import { LoginCard } from "./LoginCard.tsx"

/** The dialog. It cannot be closed: what is below it can do nothing without a session. */
export const LoginOver = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const element = dialog.current
    showModal(element)
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles["over"]}
      aria-labelledby={titleId}
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.preventDefault()
      }}
    >
      <LoginCard purpose="over" titleId={titleId} />
    </dialog>
  )
}
