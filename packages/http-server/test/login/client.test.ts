/** The typed client of the cabinet drives every call of its contract. */
import { PanelApi } from "@tolem/api/PanelApi"
import * as PromiseClient from "@tolem/api/PromiseClient"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Service, start } from "../support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => (error instanceof PromiseClient.ApiError ? error : Promise.reject(error))
  )

it("has a method for every call", () => {
  const methods = (object: object) =>
    Object.entries(object).map(([name, group]) => [name, Object.keys(group).toSorted()])
  const endpoints = Object.entries(PanelApi.groups).map(([name, group]) => [
    name,
    Object.keys(group.endpoints).toSorted()
  ])
  expect(methods(PromiseClient.makePanel({ baseUrl: service.url }))).toEqual(endpoints)
})

it("logs a person in and out", async () => {
  const phone = "77001234567"
  const { login } = PromiseClient.makePanel({ baseUrl: service.url })
  const { challengeId, retryAfterSeconds } = await login.code({ payload: { phone } })
  expect(retryAfterSeconds).toBe(60)
  const limited = await failureOf(login.code({ payload: { phone } }))
  expect(limited.error).toBe("rate_limited")
  expect(limited.retryAfterSeconds).toBeGreaterThanOrEqual(1)
  const payload = { challengeId, code: service.codes.get(phone) ?? "", name: "Әлия" }
  expect((await login.verify({ payload })).account).toMatchObject({ phone: "7700*****67", name: "Әлия" })
  expect((await failureOf(login.session())).error).toBe("unauthorized")

  // Outside of a browser the cookie is not kept: another session's token is taken from its answer.
  const other = "77007654321"
  const begun = await login.code({ payload: { phone: other } })
  const answer = await fetch(`${service.url}/panel/login/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ challengeId: begun.challengeId, code: service.codes.get(other) })
  })
  const token = /^tolem_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? ""
  const own = PromiseClient.makePanel({ baseUrl: service.url, token }).login
  expect((await own.session()).account.phone).toBe("7700*****21")
  await own.logout()
  expect((await failureOf(own.session())).error).toBe("unauthorized")
})
