/** The person's menu: profile, documentation, way out. */
import { useNavigate } from "@tanstack/react-router"
import { BookOpen, LogOut, Scale, UserRound } from "lucide-react"
import { leaveSession } from "../api/Session.ts"
import { serverPath } from "../browser/Place.ts"
import { maskedText } from "../login/PhoneText.ts"
import styles from "../parts/Menu.module.css"
import { Menu } from "../parts/Menu.tsx"
import { useNotify } from "../parts/Notices.tsx"
import { useExplanation } from "../parts/Refused.tsx"
import { useWords } from "../parts/Words.tsx"
import { useSession } from "./SessionContext.ts"

/** The menu, behind the person's first letter. */
export const PersonMenu = () => {
  const { texts } = useWords()
  const { account, operator } = useSession()
  const navigate = useNavigate()
  const notify = useNotify()
  const explain = useExplanation()
  const leave = () =>
    void leaveSession().catch((failure: unknown) => notify({ title: explain(failure).title, tone: "bad" }))
  const initial = /[\p{L}\p{N}]/u.exec(account.name ?? "")?.[0]?.toUpperCase()
  return (
    <Menu
      label={account.name ?? texts.shell.profile}
      className={styles["round"]}
      align="end"
      face={initial ?? <UserRound size={20} aria-hidden />}
      head={
        <div className={styles["person"]}>
          <strong>{account.name ?? texts.profile.unnamed}</strong>
          <span>{maskedText(account.phone)}</span>
        </div>
      }
      rows={[
        {
          key: "profile",
          icon: <UserRound size={18} aria-hidden />,
          text: texts.shell.profile,
          onChoose: () => void navigate({ to: "/profile" })
        },
        ...(operator
          ? [
              {
                key: "console",
                icon: <Scale size={18} aria-hidden />,
                text: texts.shell.console,
                onChoose: () => void navigate({ to: "/operator" })
              }
            ]
          : []),
        {
          key: "docs",
          icon: <BookOpen size={18} aria-hidden />,
          text: texts.shell.docs,
          onChoose: () => void open(`${serverPath}/docs`, "_blank", "noopener")
        },
        { key: "logout", icon: <LogOut size={18} aria-hidden />, text: texts.shell.logout, onChoose: leave }
      ]}
    />
  )
}
