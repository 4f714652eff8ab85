/** People who log in to the cabinet of a service. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Role } from "@tolem/core/merchant/Merchant"
import { type Answer, call, type Sent } from "./calls.ts"
import type { Service } from "./service.ts"

/** Someone with a session. */
export interface Person {
  readonly phone: string
  readonly token: string
  readonly accountId: string
}

/** Logs in with the code that was sent to this phone. */
export const logIn = async (service: Service, phone: string): Promise<Person> => {
  const begun = await call(service, "POST", "/panel/login/code", { body: { phone } })
  const body = { challengeId: begun.body["challengeId"], code: service.codes.get(phone) }
  const { headers, body: entered } = await call(service, "POST", "/panel/login/verify", { body })
  const token = /tolem_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
  return { phone, token, accountId: String(entered["account"]?.["id"]) }
}

/** Calls as this person. */
export const as = (
  service: Service,
  { token }: Pick<Person, "token">,
  method: string,
  path: string,
  body?: unknown
): Promise<Answer> => {
  const sent: Sent = { body, headers: { authorization: `Bearer ${token}` } }
  return call(service, method, path, sent)
}

/** The status of an answer, with its code if it refuses. */
export const outcomeOf = ({ status, body }: Answer): string =>
  status < 400 ? `${status}` : `${status} ${body["error"]}`

/** A fresh organization of a person. */
export const organizationOf = async (service: Service, { phone }: Pick<Person, "phone">): Promise<string> => {
  const { organizations } = await service.run(Engine)
  const made = await service.run(organizations.create({ name: "Shop", ownerPhone: phone, tariff: "scale" }))
  return made.organization.id
}

/** Makes a person a member of an organization. */
export const join = async (
  service: Service,
  organizationId: string,
  { phone }: Pick<Person, "phone">,
  role: Exclude<Role, "owner">
): Promise<void> => {
  const { members } = await service.run(Engine)
  await service.run(members.add(organizationId, { phone, role }))
}
