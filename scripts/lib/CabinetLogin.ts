/** The owner of the demo shop, as they log in. */
import type { Service } from "@tolem/testing-harness/Program"

const phone = "7000000000"

/** What a person who is logged in has. */
export type Cookies = Awaited<ReturnType<typeof logInWith>>

/** Logs the owner of the demo shop in; their cookies. */
export const logInWith = async ({ url, said }: Service) => {
  const post = (path: string, body: object) =>
    fetch(`${url}/panel${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const { challengeId } = (await (await post("/login/code", { phone: `7${phone}` })).json()) as { challengeId: string }
  const [, code = ""] = /"code":"(\d{6})"/.exec(said.stderr) ?? []
  const opened = await post("/login/verify", { challengeId, code })
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(opened.headers.get("set-cookie") ?? "") ?? []
  return [{ name, value, url: `${url}/panel`, httpOnly: true }]
}
