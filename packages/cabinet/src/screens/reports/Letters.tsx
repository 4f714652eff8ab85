/** Whether the person has the statement of each month by letter. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
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
  const change = useMutation({
    mutationFn: (wanted: boolean) =>
      ask("PUT /panel/orgs/:organizationId/statement-letters", { ...given, body: { wanted } }),
    onSuccess: (next) => void queries.setQueryData(choice.queryKey, next)
  })
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
            checked={change.isPending ? change.variables : data.wanted}
            onChange={({ target }) => !change.isPending && change.mutate(target.checked)}
          />
        )}
      </Card>
    </div>
  )
}
