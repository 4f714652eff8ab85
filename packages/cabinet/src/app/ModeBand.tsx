/** Which of the two worlds is looked at, with the way to the other, and from the sandbox into work. */
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { Button } from "../parts/Button.tsx"
import { loadedPart } from "../parts/LoadedPart.tsx"
import segments from "../parts/Segments.module.css"
import { useWords } from "../parts/Words.tsx"
import styles from "./Frame.module.css"
import { type Mode, useOrganization, usePlace } from "./Organization.ts"
import { useMay } from "./Permissions.ts"

const LiveDialog = loadedPart(() => import("./LiveDialog.tsx").then(({ LiveDialog }) => LiveDialog))

const modes: ReadonlyArray<Mode> = ["sandbox", "live"]

/** The band. */
export const ModeBand = () => {
  const { texts } = useWords()
  const navigate = useNavigate()
  const mode = usePlace()?.mode
  const may = useMay()
  const { data } = useOrganization()
  const [isOpen, setOpen] = useState(false)
  const look = (wanted: Mode) => void navigate({ to: ".", search: { mode: wanted } })
  const canGo = mode === "sandbox" && data?.mode === "sandbox" && may("mode:switch") !== null
  return (
    <aside className={styles["mode"]} data-mode={mode} aria-label={texts.shell.mode}>
      <p>
        {mode === "sandbox" && (
          <>
            <strong>{texts.shell.sandbox}</strong>: {texts.shell.sandboxText}
          </>
        )}
      </p>
      {canGo && (
        <Button look="plain" isSmall className={styles["go"]} onClick={() => setOpen(true)}>
          {texts.mode.toLive}
        </Button>
      )}
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{texts.mode.looking}</legend>
        {modes.map((each) => (
          <button key={each} type="button" aria-pressed={each === mode} onClick={() => look(each)}>
            {texts.shell[each]}
          </button>
        ))}
      </fieldset>
      {isOpen && <LiveDialog onClose={() => setOpen(false)} />}
    </aside>
  )
}
