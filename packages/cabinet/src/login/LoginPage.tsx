/** The page of a person who is not logged in, at whatever address of the cabinet they are. */
import { useState } from "react"
import { cabinetPath } from "../browser/Place.ts"
import { LanguageSwitch } from "../parts/LanguageSwitch.tsx"
import { Mark } from "../parts/Mark.tsx"
import styles from "./Login.module.css"
import { LoginCard } from "./LoginCard.tsx"

/** What the address says of an invitation. */
const invitationIn = (address: URL): { readonly isNew: boolean; readonly code: string | null } => {
  const code = address.searchParams.get("ref")
  return {
    isNew: address.pathname === `${cabinetPath}join`,
    code: code === null || code.trim() === "" ? null : code.trim()
  }
}

/** The page. */
export const LoginPage = () => {
  const [{ isNew: joins, code }] = useState(() => invitationIn(new URL(location.href)))
  const [isNew, setNew] = useState(joins)
  return (
    <div className={styles["page"]}>
      <header className={styles["brand"]}>
        <Mark />
        <span>Tölem</span>
      </header>
      <main>
        <LoginCard
          key={String(isNew)}
          purpose={isNew ? "join" : "login"}
          invitation={isNew ? code : null}
          onSwitch={() => setNew(!isNew)}
        />
      </main>
      <footer>
        <LanguageSwitch />
      </footer>
    </div>
  )
}
