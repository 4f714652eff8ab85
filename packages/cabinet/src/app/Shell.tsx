/** What surrounds each screen: the sections, the person, and what holds for all of it. */
import { Link, Outlet } from "@tanstack/react-router"
import { useEffect } from "react"
import { Mark } from "../parts/Mark.tsx"
import { useWords } from "../parts/Words.tsx"
import { OfflineBand } from "./OfflineBand.tsx"
import { OrganizationMenu } from "./OrganizationMenu.tsx"
import { PersonMenu } from "./PersonMenu.tsx"
import styles from "./Shell.module.css"

/** Around a screen that is of no organization. */
export const Plain = () => (
  <main id="content" className={styles["content"]} tabIndex={-1}>
    <Outlet />
  </main>
)

/** The shell. */
export const Shell = () => {
  const { texts } = useWords()
  useEffect(() => {
    document.title = "Tölem"
  }, [])
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#content">
        {texts.shell.skip}
      </a>
      <header className={styles["top"]}>
        <span className={styles["brand"]}>
          <Link to="/" aria-label="Tölem">
            <Mark />
          </Link>
          <OrganizationMenu />
        </span>
        <PersonMenu />
      </header>
      <OfflineBand />
      <Outlet />
    </div>
  )
}
