/** Which organization is looked at, with the way to the person's others and to a new one. */
import { useNavigate } from "@tanstack/react-router"
import { Check, ChevronsUpDown, Mail, Plus } from "lucide-react"
import { prefer } from "../browser/Preferences.ts"
import styles from "../parts/Menu.module.css"
import { Menu } from "../parts/Menu.tsx"
import { useWords } from "../parts/Words.tsx"
import { usePlace } from "./Organization.ts"
import { useOffers } from "./OwnOffers.ts"
import { useSession } from "./SessionContext.ts"

/** The menu; nothing for a person without organizations. */
export const OrganizationMenu = () => {
  const { texts } = useWords()
  const { memberships } = useSession()
  const navigate = useNavigate()
  const here = usePlace()
  const offered = useOffers()
  const shown = here ?? memberships[0]
  if (shown === undefined) return null
  const go = (organizationId: string) => {
    prefer({ organization: organizationId })
    void navigate({ to: "/$organizationId", params: { organizationId } })
  }
  const rows = memberships.map(({ organizationId, name, role }) => ({
    key: organizationId,
    text: (
      <span className={styles["words"]}>
        <span>{name}</span>
        <small>{texts.profile.roles[role]}</small>
      </span>
    ),
    after: organizationId === here?.organizationId && <Check size={18} aria-hidden />,
    onChoose: () => go(organizationId)
  }))
  const invited = offered.map(({ id, organization, role }) => ({
    key: id,
    icon: <Mail size={18} aria-hidden />,
    text: (
      <span className={styles["words"]}>
        <span>{organization.name}</span>
        <small>{`${texts.invitations.yours} · ${texts.profile.roles[role]}`}</small>
      </span>
    ),
    onChoose: () => void navigate({ to: "/welcome" })
  }))
  const fresh = {
    key: "new",
    icon: <Plus size={18} aria-hidden />,
    text: texts.start.another,
    onChoose: () => void navigate({ to: "/welcome" })
  }
  return (
    <Menu
      label={`${texts.shell.organization}: ${shown.name}`}
      className={styles["wide"]}
      align="start"
      face={
        <>
          <span>{shown.name}</span>
          <ChevronsUpDown size={16} aria-hidden />
        </>
      }
      rows={[...rows, ...invited, fresh]}
    />
  )
}
