/** A first call that works as it stands. A key is in it only if it was made here just now. */
import { useQuery } from "@tanstack/react-query"
import { Copy, KeyRound } from "lucide-react"
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { serverPath } from "../../browser/Place.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { CodeText } from "../../parts/CodeText.tsx"
import { loadedPart } from "../../parts/LoadedPart.tsx"
import rows from "../../parts/Rows.module.css"
import segments from "../../parts/Segments.module.css"
import { useCopy } from "../../parts/Share.tsx"
import { useWords } from "../../parts/Words.tsx"
import { useCashiers } from "../cashiers/Cashier.ts"
import styles from "./Developers.module.css"
import { samplesOf } from "./Samples.ts"
import { useTexts } from "./Texts.ts"

const KeyDialog = loadedPart(() => import("../keys/KeyDialog.tsx").then(({ KeyDialog }) => KeyDialog))

const guides = ["quickstart", "webhooks", "sandbox", "errors", "api"] as const

/** The newest key of the mode, by its last characters; null: there is none, or the person may not see keys. */
const useKeyEnding = (): string | null => {
  const { mode } = useHere()
  const maySee = useMay()("keys:read") !== null
  const given = useGiven()
  const { data } = useQuery({ ...reading("GET /panel/orgs/:organizationId/api-keys", given), enabled: maySee })
  const keys = data?.keys.filter((key) => key.mode === mode && key.scopes.includes("invoices:write")) ?? []
  return keys.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]?.lastCharacters ?? null
}

/** The card. */
export const QuickStart = () => {
  const developers = useTexts()
  const { common } = useWords().texts
  const { mode } = useHere()
  const mayMake = useMay()("keys:change") !== null
  const ending = useKeyEnding()
  const cashiers = useCashiers()
  // Nowhere else: neither in the address, nor in what the browser keeps.
  const [made, setMade] = useState<string | null>(null)
  const [isMaking, setMaking] = useState(false)
  const [chosen, setChosen] = useState(0)
  const copy = useCopy()
  const place = `svc_${mode === "live" ? "live" : "test"}_…${ending ?? developers.keyPlace}`
  const samples = samplesOf({ server: `${location.origin}${serverPath}`, key: made ?? place })
  const code = samples[chosen]?.code ?? ""
  const about =
    made !== null ? developers.withNewKey : ending === null ? developers.withoutKey : developers.withKey(ending)
  return (
    <Card title={developers.start} text={developers.startText}>
      <p className={styles["note"]}>
        {about}
        {mode === "live" && ` ${developers.liveSample}`}
      </p>
      <fieldset className={segments["segments"]}>
        <legend className="visually-hidden">{developers.sample}</legend>
        {samples.map(({ name }, index) => (
          <button key={name} type="button" aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            {name}
          </button>
        ))}
      </fieldset>
      <CodeText name={developers.sample} text={code} />
      <div className={rows["actions"]}>
        <Button look="plain" isSmall onClick={() => copy(code)}>
          <Copy size={18} aria-hidden />
          {common.copy}
        </Button>
        {mayMake && (
          <Button look="plain" isSmall onClick={() => setMaking(true)}>
            <KeyRound size={18} aria-hidden />
            {developers.makeKey}
          </Button>
        )}
      </div>
      <Guides />
      {isMaking && (
        <KeyDialog cashiers={mode === "live" ? cashiers : []} onMade={setMade} onClose={() => setMaking(false)} />
      )}
    </Card>
  )
}

const Guides = () => {
  const { guides: names, documents } = useTexts()
  const { language } = useWords()
  return (
    <nav aria-label={documents} className={styles["guides"]}>
      {guides.map((name) => (
        <a
          key={name}
          href={`${serverPath}/docs/${language === "en" ? "en" : "ru"}/${name}`}
          target="_blank"
          rel="noreferrer"
        >
          {names[name]}
        </a>
      ))}
    </nav>
  )
}
