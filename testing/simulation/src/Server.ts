/** A server of the simulation: the whole engine in one machine, which crashes, stops and starts again. */
import { Engine } from "@tolem/core/engine/Engine"
import type { Settings } from "@tolem/core/engine/Settings"
import { within } from "@tolem/core/provider/Deadline"
import { type Calls, PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { WebhookSender } from "@tolem/core/webhook/sending/WebhookSender"
import { Cause, Context, Effect, type Exit, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { type Application, consumer, type Host } from "./Application.ts"
import { remotely } from "./Network.ts"
import type { Post } from "./notice/Post.ts"
import type { Receivers } from "./Receivers.ts"
import type { Machine } from "./Simulation.ts"
import type { World } from "./World.ts"

/** What came back of a call: an exit, or nothing, because the server was down or the network lost it. */
export type Heard<A, E> = Exit.Exit<A, E> | "nothing"

const answerWithinMs = 15_000

/** What its calls go to, and what runs in its process. */
interface Others {
  readonly receivers: Receivers
  readonly application: Application | null
  readonly post: Post | null
}

/** A server of a simulation. */
export class Server {
  private machine: Machine | null = null
  private host: Host | null = null
  private main: Fiber.Fiber<unknown, unknown> | null = null
  /** What its supervisor starts it again with; null: it does not. */
  private settings: Settings | null = null
  private readonly world: World
  private readonly others: Others
  private readonly name: string

  constructor(world: World, others: Others, name: string) {
    this.world = world
    this.others = others
    this.name = name
  }

  /** Starts it on a clock that is a little wrong. */
  start(settings: Settings): void {
    const { simulation, parts } = this.world
    const machine = simulation.machine(this.name, this.world.calmed ? 0 : simulation.between(-1000, 1000))
    this.machine = machine
    this.settings = settings
    const layer = Engine.agents.pipe(
      Layer.provideMerge(Engine.layer(settings)),
      Layer.provideMerge(Layer.mergeAll(parts.stores(machine), parts.platform, this.provider(), this.sender())),
      Layer.provideMerge(this.others.post?.layer() ?? Layer.empty),
      Layer.provide(Logger.layer([this.world.logger(this.name)]))
    )
    const life = Effect.gen({ self: this }, function* () {
      const context = yield* Layer.build(layer)
      const engine = Context.get(context, Engine)
      const host = { engine, sql: Context.get(context, SqlClient.SqlClient), end: () => this.fails(machine) }
      this.host = host
      const { application } = this.others
      if (application !== null) yield* engine.reactions.handle(consumer, application.handler(host))
      return yield* Effect.never
    }).pipe(Effect.scoped)
    const main = Effect.gen({ self: this }, function* () {
      this.main = yield* Effect.forkDetach(life)
      return yield* Fiber.await(this.main)
    })
    machine.fork(main, (exit) => this.ended(machine, exit))
  }

  /** As with `kill -9`, at some step from now on. */
  crash(afterSteps: number): void {
    if (this.machine !== null) this.machine.crashAfterSteps = afterSteps
  }

  /** The same, at once. */
  kill(): void {
    this.settings = null
    if (this.machine !== null && !this.machine.crashed) this.machine.crash()
  }

  /** As with SIGSTOP, and SIGCONT in `ms`: at once, or after its next write, before it knows of that. */
  freeze(ms: number, isAfterWrite: boolean): void {
    const { machine, name } = this
    if (machine === null || machine.crashed || machine.frozen) return
    this.world.note(name, `stands still for ${ms} ms${isAfterWrite ? " after its next write" : ""}`)
    if (isAfterWrite) machine.freezeAtAnswerMs = ms
    else machine.freeze(ms)
  }

  /** As with SIGTERM: what runs may end. */
  stop(): void {
    const { main, machine } = this
    this.host = null
    if (main !== null && machine !== null) machine.fork(Fiber.interrupt(main))
  }

  /** Whether it takes calls. */
  isUp(): boolean {
    return this.host !== null && this.machine !== null && !this.machine.crashed
  }

  /** Whether its machine is gone, so that it may start again. */
  isDown(): boolean {
    return this.machine === null || this.machine.crashed
  }

  /** Calls it over the network, and waits for the answer for as long as clients do. */
  call<A, E>(use: (engine: Engine["Service"], host: Host) => Effect.Effect<A, E>): Effect.Effect<Heard<A, E>> {
    return Effect.suspend((): Effect.Effect<Heard<A, E>> => {
      const { machine, host } = this
      if (host === null || machine === null || machine.crashed) return Effect.succeed("nothing")
      const served = Effect.provide(Effect.exit(use(host.engine, host)), Logger.layer([this.world.logger(this.name)]))
      return remotely(machine, this.world.travel(200, 0.02), served).pipe(
        Effect.timeoutOrElse({ duration: answerWithinMs, orElse: () => Effect.succeed<Heard<A, E>>("nothing") })
      )
    })
  }

  private ended(machine: Machine, exit: Exit.Exit<Exit.Exit<unknown, unknown>, unknown>): void {
    machine.crash()
    this.host = null
    // It ends by being stopped; whatever else ends it is a bug, but for a database that cannot be opened.
    const inner = exit._tag === "Success" ? exit.value : exit
    if (inner._tag === "Failure" && Cause.hasDies(inner.cause)) {
      this.world.violate(`${this.name} died: ${Cause.pretty(inner.cause)}`)
    }
  }

  private provider() {
    const { bank } = this.world.parts
    const networked =
      <Request extends ReadonlyArray<unknown>, A>(call: (...request: Request) => Effect.Effect<A>) =>
      (...request: Request): Effect.Effect<A> =>
        Effect.suspend(() => remotely(this.world.bankMachine, this.world.travel(300, 0.01), call(...request)))
    const calls: Calls = {
      createQr: networked(bank.calls.createQr),
      createPush: networked(bank.calls.createPush),
      stateByReference: networked(bank.calls.stateByReference),
      stateByOurs: networked(bank.calls.stateByOurs),
      cancel: networked(bank.calls.cancel),
      refund: networked(bank.calls.refund),
      refundState: networked(bank.calls.refundState),
      listOperations: networked(bank.calls.listOperations),
      initLogin: networked(bank.calls.initLogin),
      sendPhone: networked(bank.calls.sendPhone),
      verifyOtp: networked(bank.calls.verifyOtp),
      checkSession: networked(bank.calls.checkSession)
    }
    return Layer.succeed(PaymentProvider, { name: "Simulated", can: Effect.succeed(bank.can), ...within(calls) })
  }

  private sender() {
    const { machine } = this
    const { receivers } = this.others
    const end = () => machine !== null && this.fails(machine)
    return Layer.succeed(WebhookSender, { send: (request) => receivers.send(request, end) })
  }

  /** As with an error that nothing catches. Its supervisor starts it again, as often as it takes. */
  private fails(machine: Machine): void {
    const { simulation, receiverMachine } = this.world
    const { settings } = this
    machine.crash()
    simulation.at(simulation.between(200, 3000), receiverMachine, () => {
      if (settings !== null && this.settings === settings && this.machine === machine) this.start(settings)
    })
  }
}
