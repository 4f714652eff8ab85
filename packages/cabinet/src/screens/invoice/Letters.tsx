/** The letters about an invoice: to which address, what became of each, and what it says. */
import { useQuery } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { InvoiceFacts } from "../till/Creation.ts"
import styles from "./Letters.module.css"

type Letter = Answer<"GET /panel/orgs/:organizationId/invoices/:id/letters">["letters"][number]

const tones = { pending: "wait", sending: "wait", sent: "good", failed: "bad", unknown: "wait", kept: "calm" } as const
const everyMs = 5000

const isUnderWay = ({ status }: Letter): boolean => status === "pending" || status === "sending"

/** The list; nothing if there are none. */
export const Letters = ({ invoice }: { readonly invoice: InvoiceFacts }) => {
  const { letters: texts } = useWords().texts
  const { params, query } = useGiven()
  const given = { params: { ...params, id: invoice.id }, query }
  const { data } = useQuery({
    ...reading("GET /panel/orgs/:organizationId/invoices/:id/letters", given),
    refetchInterval: ({ state }) => (state.data?.letters.some(isUnderWay) ? everyMs : false)
  })
  if (data === undefined || data.letters.length === 0) return null
  return (
    <Card title={texts.title} text={texts.about}>
      <ul className={styles["letters"]}>
        {data.letters.map((letter) => (
          <LetterPart key={letter.id} letter={letter} />
        ))}
      </ul>
    </Card>
  )
}

const LetterPart = ({ letter }: { readonly letter: Letter }) => {
  const { texts, language } = useWords()
  const { kinds, to, statuses } = texts.letters
  const { kind, recipient, status, reason, createdAt, completedAt } = letter
  const at = instant(Date.parse(completedAt ?? createdAt), language)
  return (
    <li>
      <details>
        <summary>
          <span>
            <strong>{kinds[kind]}</strong>
            <small>{[to(recipient), at].join(" · ")}</small>
          </span>
          <Pill tone={tones[status]}>{statuses[status]}</Pill>
        </summary>
        <h3>{letter.subject}</h3>
        <p>{letter.text}</p>
      </details>
      {reason !== null && <small>{reason}</small>}
    </li>
  )
}
