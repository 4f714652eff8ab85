/** Who may do what: the table that every call of the server asks. On phones a role at a time. */

import { permissions } from "virtual:permissions"
import { useState } from "react"
import type { Organization } from "../../app/Organization.ts"
import type { Permission, Reach } from "../../app/Permissions.ts"
import { Dialog } from "../../parts/Dialog.tsx"
import segments from "../../parts/Segments.module.css"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Rights.module.css"

const roles: ReadonlyArray<Organization["role"]> = ["owner", "manager", "accountant", "cashier", "developer"]
const all = Object.keys(permissions) as ReadonlyArray<Permission>

/** The dialog. */
export const Rights = ({ onClose }: { readonly onClose: () => void }) => {
  const { texts } = useWords()
  const { rights, profile } = texts
  const [shown, setShown] = useState(roles[0])
  return (
    <Dialog title={rights.title} text={rights.about} onClose={onClose} isWide>
      <fieldset className={[segments["segments"], styles["roles"]].join(" ")}>
        <legend className="visually-hidden">{texts.team.role}</legend>
        {roles.map((role) => (
          <button key={role} type="button" aria-pressed={role === shown} onClick={() => setShown(role)}>
            {profile.roles[role]}
          </button>
        ))}
      </fieldset>
      <table className={styles["table"]}>
        <thead>
          <tr>
            <th scope="col">{rights.what}</th>
            {roles.map((role) => (
              <th key={role} scope="col" data-shown={role === shown || undefined}>
                {profile.roles[role]}
              </th>
            ))}
            <th scope="col" data-code>
              {rights.code}
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((permission) => (
            <Row key={permission} permission={permission} shown={shown} />
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}

interface RowProps {
  readonly permission: Permission
  /** The role that a phone shows. */
  readonly shown: Organization["role"] | undefined
}

const Row = ({ permission, shown }: RowProps) => {
  const { rights } = useWords().texts
  const { who, fresh } = permissions[permission]
  return (
    <tr>
      <th scope="row">{rights.permissions[permission]}</th>
      {roles.map((role) => {
        const reach: Reach | "none" = who[role] ?? "none"
        return (
          <td key={role} data-reach={reach} data-shown={role === shown || undefined}>
            {rights.reaches[reach]}
          </td>
        )
      })}
      <td data-code>{fresh === undefined ? "" : rights.codes[fresh]}</td>
    </tr>
  )
}
