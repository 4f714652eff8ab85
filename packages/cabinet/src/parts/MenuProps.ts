/** What a menu is made of. */
import type { ReactNode } from "react"

/** A row of a menu. */
export interface MenuRow {
  readonly key: string
  readonly icon?: ReactNode
  readonly text: ReactNode
  /** Shown behind the text. */
  readonly after?: ReactNode
  readonly onChoose: () => void
}

/** A menu. */
export interface MenuProps {
  readonly label: string
  readonly className: string | undefined
  /** What stands on the button. */
  readonly face: ReactNode
  readonly align: "start" | "end"
  /** Above the rows. */
  readonly head?: ReactNode
  readonly rows: ReadonlyArray<MenuRow>
}
