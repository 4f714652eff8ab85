/** Short notices of what was done, with a way to undo it where there is one. */
import { Toast } from "@base-ui/react/toast"
import { X } from "lucide-react"
import type { ReactNode } from "react"
import styles from "./Notices.module.css"
import { useWords } from "./Words.tsx"

/** A notice. */
export interface Notice {
  readonly title: string
  readonly text?: string
  readonly tone?: "calm" | "good" | "bad"
  readonly undo?: () => void
}

/** The place of notices, over what is inside. */
export const Notices = ({ children }: { readonly children: ReactNode }) => (
  <Toast.Provider timeout={7000} limit={3}>
    {children}
    <Toast.Portal>
      <Toast.Viewport className={styles["viewport"]}>
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

/** Shows a notice for some seconds; it stays for as long as a pointer or the focus is on it. */
export const useNotify = (): ((notice: Notice) => void) => {
  const { add, close } = Toast.useToastManager()
  const { texts } = useWords()
  return ({ title, text, tone = "calm", undo }) => {
    const id = add({
      title,
      ...(text !== undefined && { description: text }),
      type: tone,
      priority: tone === "bad" ? "high" : "low",
      ...(undo !== undefined && {
        actionProps: {
          children: texts.common.undo,
          onClick: () => {
            close(id)
            undo()
          }
        }
      })
    })
  }
}

const List = () => {
  const { toasts } = Toast.useToastManager()
  const { texts } = useWords()
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles["notice"]} swipeDirection={["right", "down"]}>
      <Toast.Content className={styles["content"]}>
        <div className={styles["words"]}>
          <Toast.Title className={styles["title"]} render={<p />} />
          <Toast.Description render={<p />} />
        </div>
        <Toast.Action className={styles["action"]} />
        <Toast.Close className={styles["close"]} aria-label={texts.common.close}>
          <X size={18} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
