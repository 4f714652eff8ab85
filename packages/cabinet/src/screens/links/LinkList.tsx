/** The payment links of an organization: how each stands, and what it has brought. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { Link2, Plus } from "lucide-react"
import { useState } from "react"
import { useHere } from "../../app/Organization.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { modeAlone } from "../../app/Sections.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { count, tenge } from "../../parts/MoneyWords.ts"
import { useNow } from "../../parts/Now.ts"
import { Refused } from "../../parts/Refused.tsx"
import rows from "../../parts/Rows.module.css"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useTitle } from "../../parts/Title.ts"
import { useWords } from "../../parts/Words.tsx"
import { Editor } from "./Editor.tsx"
import { linkCalls, linkStateOf, type ShownLink, shortUrl, toneOf } from "./Link.ts"
import { useLinksTexts } from "./Texts.ts"

const everyMs = 30_000

/** The screen. */
export const LinkList = () => {
  const words = useLinksTexts()
  const { texts } = useWords()
  const { mode } = useHere()
  const mayChange = useMay()("links:change") !== null
  const { data, error } = useQuery({ ...reading(linkCalls, useGiven()), refetchInterval: everyMs })
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
      {data?.links.length === 0 && <Card title={words.none} text={words.noneText} />}
      {data !== undefined && data.links.length > 0 && (
        <Card title={texts.shell[mode]} text={words.text}>
          <ul className={rows["rows"]}>
            {data.links.toReversed().map((link) => (
              <Row key={link.id} link={link} />
            ))}
          </ul>
        </Card>
      )}
      {isMaking && <Editor link={null} onClose={() => setMaking(false)} />}
    </div>
  )
}

const Row = ({ link }: { readonly link: ShownLink }) => {
  const words = useLinksTexts()
  const { organizationId } = useHere()
  const state = linkStateOf(link, useNow(everyMs))
  const { payments, paidAmount, placesLeft } = link.totals
  const facts = [
    words.payments(count(payments), tenge(paidAmount)),
    ...(placesLeft === null ? [] : [words.left(count(placesLeft))])
  ]
  return (
    <li>
      <Link2 size={22} aria-hidden className={rows["icon"]} />
      <span className={rows["words"]}>
        <span className={rows["name"]}>
          <Link to="/$organizationId/links/$linkId" params={{ organizationId, linkId: link.id }} search={modeAlone}>
            {link.title}
          </Link>
          <Pill tone={toneOf(state)}>{words.states[state]}</Pill>
        </span>
        <span className={rows["quiet"]}>{shortUrl(link)}</span>
        <span className={rows["quiet"]}>{facts.join(" · ")}</span>
      </span>
    </li>
  )
}
