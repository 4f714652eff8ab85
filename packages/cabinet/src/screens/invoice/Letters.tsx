/** The letters about an invoice: to which address, what became of each, and what it says. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type MailReason, mailReasons } from "@tolem/core/mail/MailReasons"
import { instant } from "@tolem/http-server/pages/Formats"
import { MailPlus } from "lucide-react"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { useMay } from "../../app/Permissions.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { useNotify } from "../../parts/Notices.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Pill } from "../../parts/Status.tsx"
import { useWords } from "../../parts/Words.tsx"
import type { LettersTexts } from "../../texts/LettersTexts.ts"
import type { InvoiceFacts } from "../till/Creation.ts"
import { isOpen } from "../till/LiveInvoice.ts"
import styles from "./Letters.module.css"

type Letter = Answer<"GET /panel/orgs/:organizationId/invoices/:id/letters">["letters"][number]

const tones = { pending: "wait", sending: "wait", sent: "good", failed: "bad", unknown: "wait", kept: "calm" } as const
const everyMs = 5000
/** As often as the service sends one again. */
const most = 5

const isUnderWay = ({ status }: Letter): boolean => status === "pending" || status === "sending"

/** Whether it can be sent again: what asks for a payment, while there is one to be made. */
const isOver = (letter: Letter, invoice: InvoiceFacts): boolean =>
  !isUnderWay(letter) && letter.resent < most && (letter.kind === "receipt" || isOpen(invoice))

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
          <LetterPart key={letter.id} letter={letter} invoice={invoice} />
        ))}
      </ul>
    </Card>
  )
}

interface LetterProps {
  readonly letter: Letter
  readonly invoice: InvoiceFacts
}

const LetterPart = ({ letter, invoice }: LetterProps) => {
  const { texts, language } = useWords()
  const may = useMay()
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
        {isOver(letter, invoice) && may("letters:resend") !== null && <SendAgain letter={letter} invoice={invoice} />}
      </details>
      {reason !== null && <small>{reasonIn(texts.letters, reason)}</small>}
    </li>
  )
}

const ownReasons: ReadonlyMap<string, MailReason> = new Map(
  Object.entries(mailReasons).map(([name, text]) => [text, name as MailReason])
)

/** In the reader's language, unless it is the mail server that says it. */
const reasonIn = ({ reasons, serverSaid }: LettersTexts, reason: string): string => {
  const own = ownReasons.get(reason)
  return own === undefined ? serverSaid(reason) : reasons[own]
}

/** Has it sent once more, to the same address. */
const SendAgain = ({ letter, invoice }: LetterProps) => {
  const { letters: texts } = useWords().texts
  const notify = useNotify()
  const queries = useQueryClient()
  const { params, query } = useGiven()
  const given = { params: { ...params, id: invoice.id }, query }
  const again = useMutation({
    mutationFn: () =>
      ask("POST /panel/orgs/:organizationId/invoices/:id/letters/:letterId/resend", {
        params: { ...given.params, letterId: letter.id },
        query
      }),
    onSuccess: ({ recipient }) => notify({ title: texts.resent, text: recipient }),
    onSettled: () =>
      queries.invalidateQueries({
        queryKey: reading("GET /panel/orgs/:organizationId/invoices/:id/letters", given).queryKey
      })
  })
  return (
    <>
      {again.error !== null && <Refused failure={again.error} />}
      <Button look="plain" isSmall isBusy={again.isPending} onClick={() => again.mutate()}>
        <MailPlus size={18} aria-hidden />
        {texts.again}
      </Button>
    </>
  )
}
