/**
 * What a request carries. The library begins each request with all services that the server was built with, and copies
 * the map of these several times before it is answered. What answers requests was built with the services of the engine
 * and holds them; so requests carry what is looked up while they run, and nothing of the other hundred.
 */
import { CurrentActor } from "@tolem/core/audit/Audit"
import { Settings } from "@tolem/core/engine/Settings"
import { IsItsParent } from "@tolem/core/invoice/changes/EventSpans"
import { Book } from "@tolem/core/measure/AgentRuns"
import { SandboxLinks } from "@tolem/core/provider/SandboxLinks"
import { TextDigest } from "@tolem/core/secret/Sha256"
import { AheadMs } from "@tolem/core/time/SandboxClocks"
import { AddressPolicy } from "@tolem/core/webhook/sending/AddressPolicy"
import { HintRelay } from "@tolem/core/work/Hints"
import { CalledWithin, IsImpatient } from "@tolem/core/work/OpenTransaction"
import { ProcessEnd } from "@tolem/core/work/ProcessEnd"
import { ProgressListener } from "@tolem/core/work/Progress"
import { Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"

/** The references of the engine: values that change what happens, and are looked up where it happens. */
export const carried: ReadonlySet<string> = new Set(
  [
    AddressPolicy,
    AheadMs,
    Book,
    CalledWithin,
    CurrentActor,
    HintRelay,
    IsImpatient,
    IsItsParent,
    ProcessEnd,
    ProgressListener,
    SandboxLinks,
    Settings,
    TextDigest
  ].map(({ key }) => key)
)

const isCarried = (key: string): boolean =>
  !(key.startsWith("effect/cli/") || key.startsWith("~effect/cli/")) &&
  (!key.startsWith("@tolem/core/") || carried.has(key))

const lean = <R>(given: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...given.mapUnsafe].filter(([key]) => isCarried(key))))

type Serve = (...request: ReadonlyArray<never>) => Effect.Effect<void>

/** The server, whose requests carry little. */
export const layer: Layer.Layer<HttpServer.HttpServer, never, HttpServer.HttpServer> = Layer.effect(
  HttpServer.HttpServer,
  Effect.map(HttpServer.HttpServer, ({ address, serve }) => {
    const whole: unknown = serve
    const leanly: Serve = (...request) => Effect.updateContext((whole as Serve)(...request), lean)
    const typed: unknown = leanly
    return { address, serve: typed as typeof serve }
  })
)
