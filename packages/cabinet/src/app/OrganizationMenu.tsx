/** Which organization is looked at, with the way to the person's others. */
import { Menu } from "@base-ui/react/menu"
import { useNavigate } from "@tanstack/react-router"
import { Check, ChevronsUpDown } from "lucide-react"
import { prefer } from "../browser/Preferences.ts"
import menu from "../parts/Menu.module.css"
import { useWords } from "../parts/Words.tsx"
import { usePlace } from "./Organization.ts"
import { useSession } from "./SessionContext.ts"

/** The menu; nothing for a person without organizations. */
export const OrganizationMenu = () => {
  const { texts } = useWords()
  const { memberships } = useSession()
  const navigate = useNavigate()
  const here = usePlace()
  const shown = here ?? memberships[0]
  if (shown === undefined) return null
  const go = (organizationId: string) => {
    prefer({ organization: organizationId })
    void navigate({ to: "/$organizationId", params: { organizationId } })
  }
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={menu["wide"]} aria-label={`${texts.shell.organization}: ${shown.name}`}>
        <span>{shown.name}</span>
        <ChevronsUpDown size={16} aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="start" className={menu["place"]}>
          <Menu.Popup className={menu["popup"]}>
            {memberships.map(({ organizationId, name, role }) => (
              <Menu.Item key={organizationId} className={menu["item"]} onClick={() => go(organizationId)}>
                <span className={menu["words"]}>
                  <span>{name}</span>
                  <small>{texts.profile.roles[role]}</small>
                </span>
                {organizationId === here?.organizationId && <Check size={18} aria-hidden />}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
