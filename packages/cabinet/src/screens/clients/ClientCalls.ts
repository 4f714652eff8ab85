/** The calls that connect a cashier of a client. */
import { askFresh } from "../../api/Confirmation.ts"
import { useForget, useGiven } from "../../app/Places.ts"
import type { CashierCalls } from "../cashiers/CashierCalls.ts"

/** Those of the client. */
export const useClientCalls = (clientId: string): CashierCalls => {
  const { params: own, query } = useGiven()
  const forget = useForget()
  const params = { ...own, id: clientId }
  const login = "POST /panel/orgs/:organizationId/clients/:id/connections/:connectionId/login"
  const of = (connectionId: string) => ({ params: { ...params, connectionId }, query })
  return {
    create: (name) =>
      askFresh("POST /panel/orgs/:organizationId/clients/:id/connections", { params, query, body: { name } }),
    begin: (id) => askFresh(login, of(id)),
    sendPhone: (id, body) => askFresh(`${login}/phone`, { ...of(id), body }),
    sendCode: (id, body) => askFresh(`${login}/code`, { ...of(id), body }),
    forget: () => forget("GET /panel/orgs/:organizationId/clients")
  }
}
