/** The notices that are shown. */
import { Toast } from "@base-ui/react/toast"
import { X } from "lucide-react"
import { useEffect, useRef } from "react"
import type { Notice, Outlet } from "./Notice.ts"
import styles from "./Notices.module.css"
import { useWords } from "./Words.tsx"

/** Their place, over all else. */
export const NoticeList = ({ outlet }: { readonly outlet: Outlet }) => (
  <Toast.Provider timeout={7000} limit={3}>
    <Intake outlet={outlet} />
    <Toast.Portal>
      <Toast.Viewport className={styles["viewport"]}>
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
)

/** Takes notices in, those first that have waited. */
const Intake = ({ outlet }: { readonly outlet: Outlet }) => {
  const { add, close } = Toast.useToastManager()
  const { texts } = useWords()
  const show = ({ title, text, tone = "calm", undo }: Notice) => {
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
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    outlet.take = (notice) => latest.current(notice)
    for (const notice of outlet.before.splice(0)) latest.current(notice)
    return () => {
      outlet.take = null
    }
  }, [outlet])
  return null
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
        {/* By default it can be reached by the keyboard, yet is hidden from those who hear, until all are laid out. */}
        <Toast.Close className={styles["close"]} aria-label={texts.common.close} aria-hidden={false}>
          <X size={18} aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}
