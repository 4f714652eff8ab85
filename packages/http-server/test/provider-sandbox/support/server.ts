/** The sandbox as a really listening server, with its adapter and its control API, on the clock of the test. */
import { createServer } from "node:http"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import * as HttpProvider from "@tolem/provider-sandbox/HttpProvider"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import * as SandboxServer from "@tolem/provider-sandbox/SandboxServer"
import { ProviderControl } from "@tolem/testing/provider/ProviderCase"
import { Context, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter, HttpServer } from "effect/http"
import { TestClock } from "effect/testing"
import { faultOf } from "../../../../provider-sandbox/test/support/troubles.ts"
import { strangersProvider } from "./stranger.ts"

/** Where the sandbox listens, and plain calls to it. */
export class Sandbox extends Context.Service<
  Sandbox,
  {
    readonly url: string
    /** Fails if the answer is not 200. */
    readonly call: (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: object) => Effect.Effect<unknown>
    /** The same, whatever the answer. */
    readonly answer: (
      method: "GET" | "POST" | "PUT" | "DELETE",
      path: string,
      body?: object
    ) => Effect.Effect<{ readonly status: number; readonly body: string }>
  }
>()("test/Sandbox") {}

const listening = NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1", gracefulShutdownTimeout: 100 })

const serving = Layer.unwrap(
  Effect.sync(() =>
    HttpRouter.serve(SandboxServer.routes(SandboxBank.make()), { disableLogger: true, disableListenLog: true })
  )
)

const sandbox = Layer.effect(
  Sandbox,
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const client = yield* HttpClient.HttpClient
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}`
    const answer: Sandbox["Service"]["answer"] = (method, path, body) =>
      Effect.gen(function* () {
        const request = HttpClientRequest.make(method)(`${url}${path}`)
        const response = yield* client.execute(
          body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, body)
        )
        return { status: response.status, body: yield* response.text }
      }).pipe(Effect.orDie)
    const call: Sandbox["Service"]["call"] = (method, path, body) =>
      Effect.map(answer(method, path, body), (got) => {
        if (got.status !== 200) throw new Error(`${method} ${path}: ${got.status} ${got.body}`)
        return JSON.parse(got.body)
      })
    return { url, call, answer }
  })
)

const control = Layer.effect(
  ProviderControl,
  Effect.map(Sandbox, ({ call }) => ({
    cashiers: ["77770000001", "77770000002"] as const,
    codes: { right: "111111", wrong: "999999" },
    deadlineMs: 8000,
    act: (reference: string, does: string) => call("POST", `/control/payments/${reference}/${does}`),
    refundOutside: (reference: string, amount: number) =>
      call("POST", `/control/payments/${reference}/refund`, { amount }),
    loseSessions: call("POST", "/control/sessions/lose"),
    trouble: (name: string, trouble: keyof typeof faultOf) =>
      call("POST", "/control/faults", { call: name, fault: faultOf[trouble] }),
    passTime: (ms: number) => TestClock.adjust(ms)
  }))
)

const adapter = Layer.unwrap(Effect.map(Sandbox, ({ url }) => HttpProvider.layer({ url, timeoutMs: 8000 })))

const behind = <E, R>(adapter: Layer.Layer<PaymentProvider, E, R>) =>
  Layer.merge(adapter, control).pipe(
    Layer.provideMerge(sandbox),
    Layer.provide(serving),
    Layer.provide(listening),
    Layer.provideMerge(NodeHttpClient.layerUndici)
  )

export const layer = behind(adapter)

/** The same with an adapter that was written without Effect. */
export const strangersLayer = behind(Layer.unwrap(Effect.map(Sandbox, ({ url }) => strangersProvider(url, 8000))))
