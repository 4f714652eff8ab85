/** Whether the person has the statement of each month by letter. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { ask } from "../../api/Session.ts"
import { useGiven } from "../../app/Places.ts"
import { reading } from "../../app/Queries.ts"
import { Card } from "../../parts/Card.tsx"
import { CheckField } from "../../parts/Choice.tsx"
import { Refused } from "../../parts/Refused.tsx"
import { Skeleton } from "../../parts/Skeleton.tsx"
import styles from "./Reports.module.css"
import { useMonthName } from "./Statement.tsx"
import { useReportsTexts } from "./Texts.ts"

/** The card. */
export const LettersCard = () => {
  const reports = useReportsTexts()
  const nameOf = useMonthName()
  const given = useGiven()
  const queries = useQueryClient()
  const choice = reading("GET /panel/orgs/:organizationId/statement-letters", given)
  const { data, error } = useQuery(choice)
  // What was chosen shows before the server has answered.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const change = useMutation({
    mutationFn: (wanted: boolean) =>
      ask("PUT /panel/orgs/:organizationId/statement-letters", { ...given, body: { wanted } }),
    onSuccess: (next) => void queries.setQueryData(choice.queryKey, next),
    onSettled: () => setChosen(null)
  })
  const choose = (wanted: boolean) => {
    if (change.isPending) return
    setChosen(wanted)
    change.mutate(wanted)
  }
  const failure = change.error ?? error
  const email = data?.email ?? null
  return (
    <div className={styles["unprinted"]}>
      <Card title={reports.letter} text={reports.letterText}>
        {failure !== null && <Refused failure={failure} />}
        {data === undefined && error === null && <Skeleton lines={1} />}
        {data !== undefined && email === null && !data.wanted && (
          <p>
            {reports.letterNeedsAddress} <Link to="/profile">{reports.toProfile}</Link>
          </p>
        )}
        {data !== undefined && (email !== null || data.wanted) && (
          <CheckField
            label={reports.letterTo(email ?? "–")}
            hint={data.sentMonth === null ? undefined : reports.letterSent(nameOf(data.sentMonth))}
            checked={chosen ?? data.wanted}
            onChange={({ target }) => choose(target.checked)}
          />
        )}
      </Card>
    </div>
  )
}
