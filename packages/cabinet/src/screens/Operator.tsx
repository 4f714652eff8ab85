/** Around the screens of the console of the platform: a mark that cannot be overlooked, and sections of its own. */
import { Link, Outlet } from "@tanstack/react-router"
import {
  Activity,
  BadgePercent,
  Building2,
  HandCoins,
  History,
  ListTodo,
  type LucideIcon,
  ReceiptText,
  ShieldAlert,
  UsersRound
} from "lucide-react"
import frame from "../app/Frame.module.css"
import { useSession } from "../app/SessionContext.ts"
import { Missing } from "../parts/Trouble.tsx"
import type { OperatorTexts } from "../texts/OperatorTexts.ts"
import styles from "./operator/Operator.module.css"
import { useOperatorTexts } from "./operator/Texts.ts"

export { Earnings } from "./operator/Earnings.tsx"
export { Health } from "./operator/Health.tsx"
export { Look } from "./operator/Look.tsx"
export { Merchants } from "./operator/Merchants.tsx"
export { People } from "./operator/People.tsx"
export { PlatformJournal } from "./operator/PlatformJournal.tsx"
export { Tariffs } from "./operator/Tariffs.tsx"
export { Work } from "./operator/Work.tsx"

interface Section {
  readonly to: `/operator/${"people" | "merchants" | "tariffs" | "earnings" | "looks" | "health" | "work" | "journal"}`
  readonly name: (words: OperatorTexts) => string
  readonly Icon: LucideIcon
}

const sections: ReadonlyArray<Section> = [
  { to: "/operator/people", name: ({ people }) => people.title, Icon: UsersRound },
  { to: "/operator/merchants", name: ({ merchants }) => merchants.title, Icon: Building2 },
  { to: "/operator/tariffs", name: ({ tariffs }) => tariffs.title, Icon: BadgePercent },
  { to: "/operator/earnings", name: ({ earnings }) => earnings.title, Icon: HandCoins },
  { to: "/operator/looks", name: ({ looks }) => looks.title, Icon: ReceiptText },
  { to: "/operator/health", name: ({ platform }) => platform.health.title, Icon: Activity },
  { to: "/operator/work", name: ({ platform }) => platform.work.title, Icon: ListTodo },
  { to: "/operator/journal", name: ({ journal }) => journal.title, Icon: History }
]

/** The frame; nothing is told of it to a person who does not run the platform. */
export const Operator = () => (useSession().operator ? <Inside /> : <Missing />)

const Inside = () => {
  const words = useOperatorTexts()
  return (
    <>
      <aside className={styles["mark"]} aria-label={words.mark}>
        <ShieldAlert size={20} aria-hidden />
        <p>
          <strong>{words.mark}</strong>
          <span>{words.markText}</span>
        </p>
        <Link to="/">{words.leave}</Link>
      </aside>
      <div className={frame["frame"]}>
        <nav className={styles["sections"]} aria-label={words.title}>
          {sections.map(({ to, name, Icon }) => (
            <Link key={to} to={to} className={styles["section"] ?? ""} activeOptions={{ includeSearch: false }}>
              {({ isActive }) => (
                <>
                  <Icon size={20} aria-hidden />
                  <span ref={isActive ? centre : undefined}>{name(words)}</span>
                </>
              )}
            </Link>
          ))}
        </nav>
        <main id="content" className={frame["content"]} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </>
  )
}

/** Brings a section to the middle of its bar, which is wider than a phone. */
const centre = (name: HTMLElement | null) => {
  const bar = name?.closest("nav")
  if (name === null || bar === null || bar === undefined) return
  const [inside, around] = [name.getBoundingClientRect(), bar.getBoundingClientRect()]
  bar.scrollLeft += inside.left + inside.width / 2 - (around.left + around.width / 2)
}
