/** What an organization is, and in which mode it works. */
import { day } from "@tolem/http-server/pages/Formats"
import { useModeSwitch } from "../../app/ModeSwitch.ts"
import type { Organization } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { Button } from "../../parts/Button.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { useWords } from "../../parts/Words.tsx"
import styles from "./Home.module.css"

/** The facts. */
export const About = ({ organization }: { readonly organization: Organization }) => {
  const { texts, language } = useWords()
  const may = useMay()
  const change = useModeSwitch()
  const { home } = texts
  return (
    <>
      <dl className={styles["facts"]}>
        <Row name={home.role} value={texts.profile.roles[organization.role]} />
        <Row name={home.legalName} value={organization.legalName} />
        <Row name={home.idn} value={organization.idn} />
        <Row name={home.since} value={day(Date.parse(organization.createdAt), language)} />
        <Row name={texts.shell.mode} value={texts.shell[organization.mode]} />
      </dl>
      {change.error !== null && <Refused failure={change.error} />}
      {organization.mode === "live" && may("mode:switch") !== null && (
        <div>
          <Button look="plain" isSmall isBusy={change.isPending} onClick={() => change.mutate("sandbox")}>
            {texts.mode.toSandbox}
          </Button>
        </div>
      )}
    </>
  )
}

const Row = ({ name, value }: { readonly name: string; readonly value: string | null }) =>
  value === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
