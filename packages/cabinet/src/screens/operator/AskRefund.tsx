/** The provider is asked again about a refund, for a reason that its owner reads. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { askFresh } from "../../api/Confirmation.ts"
import { AreaField } from "../../parts/Field.tsx"
import { Act } from "./Act.tsx"
import { useOperatorTexts } from "./Texts.ts"

/** The button, with its dialog. */
export const AskRefund = ({ refundId }: { readonly refundId: string }) => {
  const { work } = useOperatorTexts().platform
  const queries = useQueryClient()
  const [reason, setReason] = useState("")
  return (
    <Act
      name={work.ask}
      text={work.askText}
      act={() => askFresh("POST /panel/operator/refunds/:id/ask", { params: { id: refundId }, body: { reason } })}
      told={({ answered, status }) => (answered ? work.asked[status] : work.silent)}
      onDone={() => void queries.invalidateQueries()}
    >
      <AreaField
        label={work.reason}
        hint={work.reasonHint}
        rows={3}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        autoFocus
      />
    </Act>
  )
}
