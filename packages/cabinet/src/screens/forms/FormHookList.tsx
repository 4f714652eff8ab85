/** The addresses of an organization that forms post to. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { ClipboardPen, Plus } from "lucide-react"
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { formHookCalls, type ShownFormHook } from "./FormHook.ts"
import { FormHookDialog } from "./FormHookDialog.tsx"
import { useFormsTexts } from "./Texts.ts"

/** The screen. */
export const FormHookList = () => {
  const words = useFormsTexts()
  const { texts } = useWords()
  const { mode } = useHere()
  const mayChange = useMay()("links:change") !== null
  const { data, error } = useQuery(reading(formHookCalls, useGiven()))
  const [isMaking, setMaking] = useState(false)
  useTitle(words.title)
  return (
    <div className={rows["screen"]}>
      <header>
        <h1>{words.title}</h1>
        {mayChange && (
          <Button isSmall onClick={() => setMaking(true)}>
            <Plus size={18} aria-hidden />
            {words.create}
          </Button>
        )}
      </header>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={4} tall />}
      {data?.hooks.length === 0 && <Card title={words.none} text={words.noneText} />}
      {data !== undefined && data.hooks.length > 0 && (
        <Card title={texts.shell[mode]} text={words.text}>
          <ul className={rows["rows"]}>
            {data.hooks.toReversed().map((hook) => (
              <Row key={hook.id} hook={hook} />
            ))}
          </ul>
        </Card>
      )}
      {isMaking && <FormHookDialog hook={null} onClose={() => setMaking(false)} />}
    </div>
  )
}

const Row = ({ hook }: { readonly hook: ShownFormHook }) => {
  const words = useFormsTexts()
  const { organizationId } = useHere()
  const isActive = hook.status === "active"
  return (
    <li>
      <ClipboardPen size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          <Link to="/$organizationId/forms/$hookId" params={{ organizationId, hookId: hook.id }} search={modeAlone}>
            {hook.name}
          </Link>
          <Pill tone={isActive ? "good" : "calm"}>{isActive ? words.active : words.paused}</Pill>
        </span>
        {hook.allowedOrigins.length > 0 && (
          <span className={rows["quiet"]}>{hook.allowedOrigins.map((site) => new URL(site).host).join(" · ")}</span>
        )}
      </span>
    </li>
  )
}
