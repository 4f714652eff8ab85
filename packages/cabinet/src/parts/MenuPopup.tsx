/** A menu, open from its first moment on. */
import { Menu } from "@base-ui/react/menu"
import styles from "./Menu.module.css"
import type { MenuProps } from "./MenuProps.ts"

/** The menu with its button. */
export const MenuPopup = ({ label, className, face, align, head, rows }: MenuProps) => (
  <Menu.Root modal={false} defaultOpen>
    <Menu.Trigger className={className ?? ""} aria-label={label}>
      {face}
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner sideOffset={8} align={align} className={styles["place"]}>
        <Menu.Popup className={styles["popup"]}>
          {head}
          {rows.map(({ key, icon, text, after, onChoose }) => (
            <Menu.Item key={key} className={styles["item"]} onClick={onChoose}>
              {icon}
              {text}
              {after}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
