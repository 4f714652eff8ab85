/**
 * Deterministic simulation: several servers at once on one clock and one seed. The same seed gives the same history,
 * another seed another interleaving, so a failure that was seen once can be seen again as often as it takes.
 *
 * Three services are replaced: the `Scheduler` (a seeded choice of who runs next, and of whether a fiber is preempted),
 * the `Clock` (time jumps to the next timer when no fiber can run) and `Random`. Whatever goes round them (promises,
 * timers of Node, `Date`, `Math.random`) is outside of the simulation, so drivers must be synchronous.
 */
import { Clock, Context, Duration, Effect, type Exit, Random, type Scheduler } from "effect"

/** The machine that a fiber belongs to; null outside of a simulation. */
export const CurrentMachine = Context.Reference<Machine | null>("@tolem/core/testing/CurrentMachine", {
  defaultValue: () => null
})

interface Timer {
  readonly atMs: number
  readonly machine: Machine
  readonly wake: () => void
  cancelled: boolean
}

interface Task {
  readonly machine: Machine
  readonly run: () => void
}

interface Parked {
  readonly tasks: Array<Task>
  readonly timers: Array<Timer>
}

/** mulberry32: small, fast, and good enough to choose interleavings. */
const generator = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** One machine of the simulation: a server, a client, the provider, a receiver. */
export class Machine {
  /** Steps that it still makes before it crashes by itself; null: it does not. */
  crashAfterSteps: number | null = null
  crashed = false
  /** When it stood still last, by the simulation's clock; null: never. */
  frozenAt: number | null = null
  /** Whether it stands still: nothing of it runs, and what reaches it waits. */
  frozen = false
  /** Whether the database is locked for it. */
  hasLock = false
  /** For how long it stands still after its next write, before it knows of that; null: it goes on. */
  freezeAtAnswerMs: number | null = null
  readonly name: string
  readonly simulation: Simulation
  /** Added to the time that this machine sees: clocks of real servers disagree. */
  readonly skewMs: number

  constructor(simulation: Simulation, name: string, skewMs: number) {
    this.simulation = simulation
    this.name = name
    this.skewMs = skewMs
  }

  /** As with `kill -9`: nothing of it runs again, no finalizer either. Its holder frees the locks held for it. */
  crash(): void {
    this.crashed = true
    for (const listener of this.simulation.onCrash) listener(this)
  }

  /**
   * As with SIGSTOP, and SIGCONT in `ms`: then everything goes on where it was, with what it knew, and all timers that
   * have ended meanwhile end at once. In a transaction it ends that first: a database undoes what stands still.
   */
  freeze(ms: number): void {
    if (this.hasLock) {
      this.freezeAtAnswerMs = ms
      return
    }
    this.freezeAtAnswerMs = null
    this.frozen = true
    this.frozenAt = this.simulation.nowMs
    this.simulation.freeze(this, ms)
  }

  readonly scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    // Preempts after any operation, so that races need no luck with the usual budget of 2048.
    shouldYield: () => this.simulation.next() < this.simulation.preemption,
    // Priorities are ignored on purpose: correct code does not depend on them.
    makeDispatcher: () => ({ scheduleTask: (run) => this.simulation.schedule(this, run), flush: () => {} })
  }

  readonly clock: Clock.Clock = (() => {
    // Whole, as those of real clocks.
    const millis = () => Math.floor(this.simulation.nowMs + this.skewMs)
    const nanos = () => BigInt(Math.round(millis())) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const cancel = this.simulation.at(Duration.toMillis(duration), this, () => resume(Effect.void))
          return Effect.sync(cancel)
        })
    }
  })()

  /** Runs `effect` on this machine, beginning with its next turn; `ended` hears of it unless the machine crashes. */
  fork<A, E>(effect: Effect.Effect<A, E>, ended: (exit: Exit.Exit<A, E>) => void = () => {}): void {
    const { next } = this.simulation
    const random: typeof Random.Random.Service = {
      nextDoubleUnsafe: next,
      nextIntUnsafe: () => Math.floor(next() * Number.MAX_SAFE_INTEGER)
    }
    this.simulation.schedule(this, () => {
      const fiber = effect.pipe(
        Effect.provideService(CurrentMachine, this),
        Effect.provideService(Clock.Clock, this.clock),
        Effect.provideService(Random.Random, random),
        Effect.withTracerEnabled(false),
        (main) => Effect.runFork(main, { scheduler: this.scheduler })
      )
      fiber.addObserver(ended)
    })
  }
}

/** One history, of one seed. */
export class Simulation {
  nowMs: number
  steps = 0
  readonly seed: number
  /** The next number of the seed, from 0 to below 1. */
  readonly next: () => number
  /** Chance that a fiber is preempted after one of its operations. */
  preemption: number
  /** Hear of every crash. */
  readonly onCrash: Array<(machine: Machine) => void> = []
  private readonly runnable: Array<Task> = []
  private readonly timers: Array<Timer> = [] // latest first, so that the next one is popped
  /** What waits for machines that stand still. */
  private readonly parked = new Map<Machine, Parked>()

  constructor(options: { readonly seed: number; readonly startMs: number; readonly preemption: number }) {
    this.seed = options.seed
    this.next = generator(options.seed)
    this.nowMs = options.startMs
    this.preemption = options.preemption
  }

  /** A machine that does nothing yet. */
  machine(name: string, skewMs = 0): Machine {
    return new Machine(this, name, skewMs)
  }

  /** Has `run` done in one of the machine's next turns. */
  schedule(machine: Machine, run: () => void): void {
    this.runnable.push({ machine, run })
  }

  /** Calls `wake` in `delayMs`, unless the machine has crashed by then; answers how to call it off. */
  at(delayMs: number, machine: Machine, wake: () => void): () => void {
    const timer: Timer = { atMs: this.nowMs + Math.max(0, delayMs), machine, wake, cancelled: false }
    let low = 0
    for (let high = this.timers.length; low < high; ) {
      const middle = (low + high) >>> 1
      if (this.timers[middle]!.atMs > timer.atMs) low = middle + 1
      else high = middle
    }
    // In front of those of the same instant, which were set before it and are popped before it.
    this.timers.splice(low, 0, timer)
    return () => {
      timer.cancelled = true
    }
  }

  /** Runs until `untilMs`, or until nothing is left to do. */
  run(untilMs: number): void {
    for (;;) {
      if (this.runnable.length > 0) {
        this.turn()
        continue
      }
      const timer = this.timers.at(-1)
      if (timer === undefined || timer.atMs > untilMs) break
      this.timers.pop()
      if (timer.cancelled || timer.machine.crashed) continue
      this.nowMs = Math.max(this.nowMs, timer.atMs)
      if (timer.machine.frozen) this.parked.get(timer.machine)?.timers.push(timer)
      else timer.wake()
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  /** Keeps back what is the machine's, and lets it go on in `ms`. */
  freeze(machine: Machine, ms: number): void {
    const parked: Parked = { tasks: [], timers: [] }
    this.parked.set(machine, parked)
    // Of no machine: it stands still.
    this.at(ms, this.machine("thaw"), () => {
      this.parked.delete(machine)
      machine.frozen = false
      this.runnable.push(...parked.tasks)
      // Timers end in their order, before or after what else has waited.
      this.schedule(machine, () => {
        for (const { cancelled, wake } of parked.timers) if (!cancelled) wake()
      })
    })
  }

  private turn(): void {
    const index = Math.floor(this.next() * this.runnable.length)
    const { machine, run } = this.runnable[index]!
    this.runnable[index] = this.runnable.at(-1)!
    this.runnable.pop()
    if (machine.crashed) return
    if (machine.frozen) return void this.parked.get(machine)?.tasks.push({ machine, run })
    this.steps++
    const crashes = machine.crashAfterSteps !== null && machine.crashAfterSteps-- <= 0
    if (crashes) machine.crash()
    else run()
  }

  /** One of these, by the seed. */
  pick<A>(items: ReadonlyArray<A>): A {
    return items[Math.floor(this.next() * items.length)]!
  }

  /** A whole number from `low` to below `high`, by the seed. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low))
  }

  /** True with this chance, by the seed. */
  chance(probability: number): boolean {
    return this.next() < probability
  }
}
