/** The sandbox provider as a process that counts its calls: prints its port, and `GET /counts` tells the counts. */
import { createServer, type IncomingMessage } from "node:http"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import * as SandboxServer from "@tolem/provider-sandbox/SandboxServer"
import { HttpRouter } from "effect/http"

const bank = SandboxBank.make()
/** Calls by second and by cashier's session. */
const bySecond = new Map<number, Map<string, number>>()

const counting =
  <Args extends ReadonlyArray<unknown>, A>(call: (session: string, ...args: Args) => A) =>
  (session: string, ...args: Args): A => {
    const second = Math.floor(Date.now() / 1000)
    const counts = bySecond.get(second) ?? new Map<string, number>()
    bySecond.set(second, counts.set(session, (counts.get(session) ?? 0) + 1))
    return call(session, ...args)
  }

const counted: SandboxBank.SandboxBank = {
  can: bank.can,
  code: bank.code,
  reset: bank.reset,
  control: bank.control,
  calls: {
    ...bank.calls,
    create: counting(bank.calls.create),
    stateByReference: counting(bank.calls.stateByReference),
    stateByOurs: counting(bank.calls.stateByOurs)
  }
}

const counts = () =>
  Array.from(bySecond, ([second, sessions]) => ({
    second,
    calls: Array.from(sessions.values()).reduce((sum, each) => sum + each, 0),
    busiest: Math.max(...sessions.values())
  }))

const { handler } = HttpRouter.toWebHandler(SandboxServer.routes(counted))

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  return body
}

const server = createServer(async (request, response) => {
  if (request.url === "/counts") return void response.end(JSON.stringify(counts()))
  const { method = "GET", url = "/", headers } = request
  const hasBody = method !== "GET" && method !== "HEAD"
  const answer = await handler(
    new Request(`http://127.0.0.1${url}`, {
      method,
      headers: { authorization: headers.authorization ?? "", "content-type": headers["content-type"] ?? "" },
      ...(hasBody && { body: await bodyOf(request) })
    })
  )
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
})
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (typeof address === "object" && address !== null) console.log(JSON.stringify({ port: address.port }))
})
process.once("SIGTERM", () => process.exit(0))
