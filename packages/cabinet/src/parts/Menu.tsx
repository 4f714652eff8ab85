/** A button that opens a menu. What draws it is loaded when the browser has time, at the latest when it is opened. */
import { lazy, Suspense, useEffect, useState } from "react"
import { whenIdle } from "../browser/Idle.ts"
import type { MenuProps } from "./MenuProps.ts"

const load = () => import("./MenuPopup.tsx")
const MenuPopup = lazy(() => load().then(({ MenuPopup }) => ({ default: MenuPopup })))

/** The button with its menu. */
export const Menu = (props: MenuProps) => {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => whenIdle(() => void load()), [])
  const button = (
    <button
      type="button"
      className={props.className}
      aria-label={props.label}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => {
        if (key === "ArrowDown" || key === "ArrowUp") setWanted(true)
      }}
    >
      {props.face}
    </button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <MenuPopup {...props} />
    </Suspense>
  )
}
