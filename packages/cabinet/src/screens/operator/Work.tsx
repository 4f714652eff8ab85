/** What needs a person over all organizations: how much of each kind, or what there is of one. */
import { useParams } from "@tanstack/react-router"
import { WorkItems } from "./WorkItems.tsx"
import { WorkKinds } from "./WorkKinds.tsx"

/** The kinds, or the kind that the address names. */
export const Work = () => {
  const { kind } = useParams({ strict: false })
  return kind === undefined ? <WorkKinds /> : <WorkItems key={kind} kind={kind} />
}
