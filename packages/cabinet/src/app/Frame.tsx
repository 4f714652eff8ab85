/** Around the screens of one organization: its sections, and a band that cannot be overlooked in the sandbox. */
import { Outlet } from "@tanstack/react-router"
import { Refusal } from "../api/Call.ts"
import { Refused } from "../parts/Refused.tsx"
import { Missing } from "../parts/Trouble.tsx"
import { useWords } from "../parts/Words.tsx"
import { useChanges } from "./Changes.ts"
import styles from "./Frame.module.css"
import { ModeBand } from "./ModeBand.tsx"
import { usePlace } from "./Organization.ts"
import { Sections, useIsClosed } from "./Sections.tsx"

const notAllowed = new Refusal("insufficient_role", 403, null)

/** The frame; nothing is told of an organization that the person is no member of. */
export const Frame = () => {
  const place = usePlace()
  if (place === null) return <Missing />
  return place.status === "archived" ? <Archived /> : <Inside />
}

/** The server lets no member into an organization that is archived. */
const Archived = () => {
  const { settings } = useWords().texts
  return (
    <main id="content" className={styles["content"]} tabIndex={-1}>
      <h1>{settings.archived}</h1>
      <p>{settings.archivedText}</p>
    </main>
  )
}

const Inside = () => {
  const isClosed = useIsClosed()
  useChanges()
  return (
    <>
      <ModeBand />
      <div className={styles["frame"]}>
        <Sections />
        <main id="content" className={styles["content"]} tabIndex={-1}>
          {isClosed ? <Refused failure={notAllowed} /> : <Outlet />}
        </main>
      </div>
    </>
  )
}
