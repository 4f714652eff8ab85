/** Form hooks. Both screens are one file, so that what they share is loaded with no other screen. */
import { useParams } from "@tanstack/react-router"
import { FormHookDetail } from "./forms/FormHookDetail.tsx"
import { FormHookList } from "./forms/FormHookList.tsx"

/** The list, or the form hook that the address names. */
export const Forms = () => {
  const { hookId } = useParams({ strict: false })
  return hookId === undefined ? <FormHookList /> : <FormHookDetail hookId={hookId} />
}
