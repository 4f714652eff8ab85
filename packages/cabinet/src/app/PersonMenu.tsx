/** The person's menu: profile, documentation, way out. */
import { Menu } from "@base-ui/react/menu"
import { useNavigate } from "@tanstack/react-router"
import { BookOpen, LogOut, UserRound } from "lucide-react"
import { leaveSession } from "../api/Session.ts"
import { serverPath } from "../browser/Place.ts"
import { maskedText } from "../login/PhoneText.ts"
import menu from "../parts/Menu.module.css"
import { useNotify } from "../parts/Notices.tsx"
import { useExplanation } from "../parts/Refused.tsx"
import { useWords } from "../parts/Words.tsx"
import { useSession } from "./SessionContext.ts"

/** The menu, behind the person's first letter. */
export const PersonMenu = () => {
  const { texts } = useWords()
  const { account } = useSession()
  const navigate = useNavigate()
  const notify = useNotify()
  const explain = useExplanation()
  const leave = () =>
    void leaveSession().catch((failure: unknown) => notify({ title: explain(failure).title, tone: "bad" }))
  const initial = /[\p{L}\p{N}]/u.exec(account.name ?? "")?.[0]?.toUpperCase()
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={menu["round"]} aria-label={account.name ?? texts.shell.profile}>
        {initial ?? <UserRound size={20} aria-hidden />}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end" className={menu["place"]}>
          <Menu.Popup className={menu["popup"]}>
            <div className={menu["person"]}>
              <strong>{account.name ?? texts.profile.unnamed}</strong>
              <span>{maskedText(account.phone)}</span>
            </div>
            <Menu.Item className={menu["item"]} onClick={() => void navigate({ to: "/profile" })}>
              <UserRound size={18} aria-hidden />
              {texts.shell.profile}
            </Menu.Item>
            <Menu.Item className={menu["item"]} onClick={() => void open(`${serverPath}/docs`, "_blank", "noopener")}>
              <BookOpen size={18} aria-hidden />
              {texts.shell.docs}
            </Menu.Item>
            <Menu.Item className={menu["item"]} onClick={leave}>
              <LogOut size={18} aria-hidden />
              {texts.shell.logout}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
