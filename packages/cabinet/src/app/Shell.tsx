/** What surrounds each screen: the sections, the person, and what holds for all of it. */
import { Outlet } from "@tanstack/react-router"
import { useEffect } from "react"
import { Mark } from "../parts/Mark.tsx"
import { useWords } from "../parts/Words.tsx"
import { OfflineBand } from "./OfflineBand.tsx"
import { PersonMenu } from "./PersonMenu.tsx"
import styles from "./Shell.module.css"

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
          <Mark />
          Tölem
        </span>
        <PersonMenu />
      </header>
      <OfflineBand />
      <main id="content" className={styles["content"]} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
