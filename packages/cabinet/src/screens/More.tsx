/** On phones: the sections that have no place at the foot of the screen. */
import { Link } from "@tanstack/react-router"
import { ChevronRight } from "lucide-react"
import { useHere } from "../app/Organization.ts"
import { modeAlone, useSections } from "../app/Sections.tsx"
import { useTitle } from "../parts/Title.ts"
import { useWords } from "../parts/Words.tsx"
import styles from "./More.module.css"

/** The screen. */
export const More = () => {
  const { texts } = useWords()
  const { organizationId } = useHere()
  const rest = useSections().filter(({ isFirst }) => !isFirst)
  useTitle(texts.shell.more)
  return (
    <div className={styles["screen"]}>
      <h1>{texts.shell.more}</h1>
      <ul>
        {rest.map(({ to, name, Icon }) => (
          <li key={to}>
            <Link to={to} params={{ organizationId }} search={modeAlone}>
              <Icon size={22} aria-hidden />
              <span>{name(texts.shell)}</span>
              <ChevronRight size={20} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
