/** The calls that connect a cashier: those of one's own organization, or of another that is looked after. */
import { askFresh } from "../../api/Confirmation.ts"
import { ask } from "../../api/Session.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import type { Cashier } from "./Cashier.ts"

/** A login that has begun, and what was typed in it. */
interface Typed {
  readonly processId: string
}

/** The calls, by step. */
export interface CashierCalls {
  readonly create: (name: string) => Promise<Cashier>
  readonly begin: (id: string) => Promise<{ readonly processId: string }>
  readonly sendPhone: (id: string, typed: Typed & { readonly phone: string }) => Promise<unknown>
  readonly sendCode: (id: string, typed: Typed & { readonly otp: string }) => Promise<unknown>
  /** Has what tells of cashiers read anew. */
  readonly forget: () => Promise<void>
}

/** Those of the organization that is looked at. */
export const useOwnCalls = (): CashierCalls => {
  const { params, query } = useGiven()
  const forget = useForget()
  const of = (id: string) => ({ params: { ...params, id }, query })
  return {
    create: (name) => ask("POST /panel/orgs/:organizationId/connections", { params, query, body: { name } }),
    begin: (id) => askFresh("POST /panel/orgs/:organizationId/connections/:id/login", of(id)),
    sendPhone: (id, body) =>
      askFresh("POST /panel/orgs/:organizationId/connections/:id/login/phone", { ...of(id), body }),
    sendCode: (id, body) =>
      askFresh("POST /panel/orgs/:organizationId/connections/:id/login/code", { ...of(id), body }),
    forget: () => forget("GET /panel/orgs/:organizationId/connections")
  }
}
