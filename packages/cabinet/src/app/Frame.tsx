/** Around the screens of one organization: its sections, and a band that cannot be overlooked in the sandbox. */
import { Link, Outlet, useNavigate } from "@tanstack/react-router"
import { KeyRound, LayoutDashboard } from "lucide-react"
import type { ReactNode } from "react"
import segments from "../parts/Segments.module.css"
import { Missing } from "../parts/Trouble.tsx"
import { useWords } from "../parts/Words.tsx"
import styles from "./Frame.module.css"
import { type Mode, useOrganization, usePlace } from "./Organization.ts"

/** The frame; nothing is told of an organization that the person is no member of. */
export const Frame = () => (usePlace() === null ? <Missing /> : <Inside />)

const Inside = () => {
  const { texts } = useWords()
  const { data } = useOrganization()
  return (
    <>
      <ModeBand />
      {data?.status === "archived" && (
        <p className={styles["archived"]} role="status">
          {texts.home.archived}
        </p>
      )}
      <div className={styles["frame"]}>
        <nav className={styles["sections"]} aria-label={texts.shell.menu}>
          <Section to="/$organizationId" name={texts.shell.home} icon={<LayoutDashboard size={20} aria-hidden />} />
          {data?.permissions["keys:read"] !== null && (
            <Section to="/$organizationId/keys" name={texts.shell.keys} icon={<KeyRound size={20} aria-hidden />} />
          )}
        </nav>
        <main id="content" className={styles["content"]} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </>
  )
}

interface SectionProps {
  readonly to: "/$organizationId" | "/$organizationId/keys"
  readonly name: string
  readonly icon: ReactNode
}

const Section = ({ to, name, icon }: SectionProps) => {
  const place = usePlace()
  return (
    <Link
      to={to}
      params={{ organizationId: place?.organizationId ?? "" }}
      search={(given) => given}
      className={styles["section"] ?? ""}
      activeOptions={{ exact: to === "/$organizationId", includeSearch: false }}
    >
      {icon}
      <span>{name}</span>
    </Link>
  )
}

const modes: ReadonlyArray<Mode> = ["sandbox", "live"]

/** Which of the two worlds is looked at, with the way to the other. */
const ModeBand = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const place = usePlace()
  const mode = place?.mode
  const look = (wanted: Mode) => void navigate({ to: ".", search: { mode: wanted } })
  return (
    <aside className={styles["mode"]} data-mode={mode} aria-label={texts.shell.mode}>
      <p>
        {mode === "sandbox" && (
          <>
            <strong>{texts.shell.sandbox}</strong>: {texts.shell.sandboxText}
          </>
        )}
      </p>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{texts.shell.mode}</legend>
        {modes.map((each) => (
          <button key={each} type="button" aria-pressed={each === mode} onClick={() => look(each)}>
            {texts.shell[each]}
          </button>
        ))}
      </fieldset>
    </aside>
  )
}
