/** A button that opens a menu. What draws it is loaded when the browser has time, at the latest when it is opened. */
import { useEffect, useState } from "react"
import { whenIdle } from "../browser/Idle.ts"
import { loadedPart } from "./LoadedPart.tsx"
import type { MenuProps } from "./MenuProps.ts"

interface ClosedProps extends MenuProps {
  readonly onOpen?: () => void
}

const Closed = ({ className, label, face, onOpen }: ClosedProps) => (
  <button
    type="button"
    className={className}
    aria-label={label}
    aria-haspopup="menu"
    aria-expanded={false}
    onClick={onOpen}
    onKeyDown={({ key }) => {
      if (key === "ArrowDown" || key === "ArrowUp") onOpen?.()
    }}
  >
    {face}
  </button>
)

const load = () => import("./MenuPopup.tsx")
const MenuPopup = loadedPart<MenuProps>(() => load().then(({ MenuPopup }) => MenuPopup), Closed)

/** The button with its menu. */
export const Menu = (props: MenuProps) => {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => whenIdle(() => void load()), [])
  return isWanted ? <MenuPopup {...props} /> : <Closed {...props} onOpen={() => setWanted(true)} />
}
