/** The forms that a hook has refused in the last week: how many for each reason, and the newest of them. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { instant } from "@tolem/http-server/pages/Formats"
import { useState } from "react"
import type { Answer } from "../../api/Contract.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { SelectField } from "../../parts/Choice.tsx"
import { count } from "../../parts/MoneyWords.ts"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { useFirstWords, useWords } from "../../parts/Words.tsx"
import developers from "../developers/Developers.module.css"
import { useFormsTexts } from "./Texts.ts"

const call = "GET /panel/orgs/:organizationId/form-hooks/:id/refusals"

type Told = Answer<typeof call>["refusals"][number]

const everyMs = 5_000

/** What a code means to who builds the form. */
const useReason = () => {
  const words = useFormsTexts()
  const { refusals } = useFirstWords()
  return (code: string): string => words.reasonOf[code] ?? refusals[code] ?? code
}

/** The card. */
export const FormRefusalLog = ({ hookId }: { readonly hookId: string }) => {
  const words = useFormsTexts()
  const reasonOf = useReason()
  const [reason, setReason] = useState("")
  const { params, query } = useGiven()
  const { data, error, isPlaceholderData } = useQuery({
    ...reading(call, { params: { ...params, id: hookId }, query: { ...query, ...(reason !== "" && { reason }) } }),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData
  })
  return (
    <Card title={words.refusals} text={words.refusalsText}>
      {error !== null && <Refused failure={error} />}
      {data === undefined && error === null && <Skeleton lines={5} tall />}
      {data?.reasons.length === 0 && <p className={developers["note"]}>{words.refusalsNone}</p>}
      {data !== undefined && data.reasons.length > 0 && (
        <>
          <SelectField
            label={words.newest}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          >
            <option value="">
              {words.all} ({count(data.reasons.reduce((sum, { refused }) => sum + refused, 0))})
            </option>
            {data.reasons.map((each) => (
              <option key={each.reason} value={each.reason}>
                {reasonOf(each.reason)} ({count(each.refused)})
              </option>
            ))}
          </SelectField>
          <ul className={developers["requests"]} aria-busy={isPlaceholderData || undefined}>
            {data.refusals.map((refusal) => (
              <Row key={refusal.id} refusal={refusal} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

const Row = ({ refusal }: { readonly refusal: Told }) => {
  const words = useFormsTexts()
  const reasonOf = useReason()
  const { language } = useWords()
  const { at, reason, faults, names, site } = refusal
  const facts = [
    instant(Date.parse(at), language),
    ...(site === null ? [] : [words.from(site)]),
    names.length === 0 ? words.noFields : words.sent(names.join(", "))
  ]
  return (
    <li>
      <span>
        <span>{reasonOf(reason)}</span>
        <code className={developers["code"]}>
          {faults.length === 0 ? reason : faults.map(({ field, code }) => `${field}: ${code}`).join(", ")}
        </code>
        <small>{facts.join(" · ")}</small>
      </span>
    </li>
  )
}
