/** The logo: a file that is chosen, and looked at before it is sent. */
import { ImagePlus, Trash2 } from "lucide-react"
import { useId, useRef, useState } from "react"
import { fileUrl } from "../../browser/Files.ts"
import { Button } from "../../parts/Button.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { Logo } from "./Draft.ts"
import styles from "./Settings.module.css"

const kinds = ["image/png", "image/jpeg", "image/webp"]
const maxBytes = 256 * 1024

interface LogoFieldProps {
  readonly logo: Logo
  /** What the server has said against it. */
  readonly wrong: string | null
  readonly onChange: (logo: Logo) => void
}

/** The field. */
export const LogoField = ({ logo, wrong, onChange }: LogoFieldProps) => {
  const { settings } = useWords().texts
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const choose = async (file: File | undefined) => {
    if (file === undefined) return
    const found = file.size > maxBytes ? settings.logoLarge : kinds.includes(file.type) ? null : settings.wrong.logo
    setFault(found ?? null)
    if (found === null) onChange({ kind: "chosen", url: await fileUrl(file) })
  }
  const said = fault ?? wrong
  return (
    <div className={styles["logo"]}>
      {logo === null ? <span className={styles["empty"]} aria-hidden="true" /> : <img src={logo.url} alt="" />}
      <div>
        <strong id={id}>{settings.labels.logo}</strong>
        <p id={`${id}-hint`}>{settings.hints.logo}</p>
        <div className={styles["buttons"]}>
          <Button look="second" isSmall aria-describedby={`${id} ${id}-hint`} onClick={() => input.current?.click()}>
            <ImagePlus size={18} aria-hidden />
            {logo === null ? settings.chooseLogo : settings.otherLogo}
          </Button>
          {logo !== null && (
            <Button
              look="plain"
              isSmall
              onClick={() => {
                setFault(null)
                onChange(null)
              }}
            >
              <Trash2 size={18} aria-hidden />
              {settings.removeLogo}
            </Button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          accept={kinds.join(",")}
          aria-labelledby={id}
          hidden
          onChange={({ currentTarget }) => {
            void choose(currentTarget.files?.[0])
            // The same file may be chosen again after it was made smaller.
            currentTarget.value = ""
          }}
        />
        {said !== null && (
          <p className={styles["wrong"]} role="alert">
            {said}
          </p>
        )}
      </div>
    </div>
  )
}
