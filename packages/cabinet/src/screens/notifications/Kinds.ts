/** What the person may be told of: only what their role lets them see. */
import { useHere, useOrganization } from "../../app/Organization.ts"
import { type Permission, useMay } from "../../app/Permissions.ts"
import type { NoticeKindName } from "../../texts/NotificationsTexts.ts"

const kinds: ReadonlyArray<{ readonly name: NoticeKindName; readonly needs: Permission; readonly isLive?: true }> = [
  { name: "paid", needs: "invoices:read" },
  { name: "late", needs: "invoices:read" },
  { name: "cashiers", needs: "connections:read", isLive: true },
  { name: "webhooks", needs: "webhooks:read" },
  { name: "refunds", needs: "invoices:read" },
  { name: "subscriptions", needs: "subscriptions:read" },
  { name: "tariff", needs: "organization:read", isLive: true },
  { name: "reconciliation", needs: "reconciliation:read", isLive: true }
]

/** The kinds, in the order in which they are shown; null: it is not yet known what the person may. */
export const useKinds = (): ReadonlyArray<NoticeKindName> | null => {
  const may = useMay()
  const { mode } = useHere()
  if (useOrganization().data === undefined) return null
  return kinds
    .filter(({ needs, isLive }) => may(needs) !== null && (isLive !== true || mode === "live"))
    .map(({ name }) => name)
}
