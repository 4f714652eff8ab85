/** People of the demo shop and of the platform, as they log in. */
import type { Service } from "@tolem/testing-harness/Program"

/** What a person who is logged in has. */
export type Cookies = Awaited<ReturnType<typeof logInWith>>

/** Logs in the person with this phone; their cookies. */
export const logInWith = async ({ url, said }: Service, phone: string) => {
  const post = (path: string, body: object) =>
    fetch(`${url}/panel${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const { challengeId } = (await (await post("/login/code", { phone })).json()) as { challengeId: string }
  const [, code = ""] =
    said.stderr
      .match(/"code":"\d{6}"/g)
      ?.at(-1)
      ?.match(/(\d{6})/) ?? []
  const opened = await post("/login/verify", { challengeId, code })
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(opened.headers.get("set-cookie") ?? "") ?? []
  return [{ name, value, url: `${url}/panel`, httpOnly: true }]
}
