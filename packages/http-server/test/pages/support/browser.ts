/** As much of a browser as the script of the pages needs, with a clock that the test moves. */
import { runInNewContext } from "node:vm"
import { script } from "../../../src/pages/MinifiedScript.ts"
import { contentOf, tagsOf } from "./markup.ts"

interface Element {
  readonly dataset: Record<string, string>
  readonly href: string | null
  readonly style: Record<string, string>
  readonly classes: Set<string>
  textContent: string
  hidden: boolean
  click: () => void
}

/** What the status address answers; undefined: the network is down. */
export type Reply =
  | { readonly status: number; readonly body?: object; readonly headers?: Readonly<Record<string, string>> }
  | undefined

/** What a browser keeps of an address while its page is loaded anew. */
export interface History {
  state: unknown
}

/** Opens a page at `now` milliseconds. `reply` answers each request for the status. */
export const open = (
  page: string,
  now: number,
  reply: (asked: string) => Reply = () => undefined,
  state: { readonly hidden?: boolean; readonly prerendering?: boolean } = {},
  history: History = { state: null }
) => {
  const elements = elementsOf(page)
  const timers = new Map<number, { at: number; every: number | null; run: () => void }>()
  const listeners = new Map<string, (event: object) => void>()
  const visited: Array<string> = []
  const asked: Array<string> = []
  let time = now
  let serial = 0
  const timer = (run: () => void, ms: number, every: number | null) => {
    timers.set(++serial, { at: time + ms, every, run })
    return serial
  }
  const on = (name: string, listener: (event: object) => void) => {
    const others = listeners.get(name) ?? (() => {})
    listeners.set(name, (event) => {
      others(event)
      listener(event)
    })
  }
  const document = {
    hidden: false,
    prerendering: false,
    ...state,
    querySelector: () => ({
      ...elements.main,
      querySelector: (selector: string) => elements.byData.get(selector.slice("[data-".length, -1)) ?? null
    }),
    addEventListener: on
  }
  const navigator: { onLine?: boolean } = {}
  const window: Record<string, unknown> = { print: () => visited.push("print") }
  window["parent"] = window
  runInNewContext(String(script), {
    document,
    addEventListener: on,
    Date: { now: () => time, parse: Date.parse },
    navigator,
    history: {
      get state() {
        return history.state
      },
      replaceState: (state: unknown) => {
        history.state = structuredClone(state)
      }
    },
    location: { reload: () => visited.push("reload"), replace: (url: string) => visited.push(url) },
    setTimeout: (run: (...given: ReadonlyArray<unknown>) => void, ms: number, ...given: ReadonlyArray<unknown>) =>
      timer(() => run(...given), ms, null),
    setInterval: (run: () => void, ms: number) => timer(run, ms, ms),
    clearTimeout: (id: number) => timers.delete(id),
    clearInterval: (id: number) => timers.delete(id),
    fetch: async (url: string, { method = "GET" }: { readonly method?: string } = {}) => {
      asked.push(method === "GET" ? url : `${method} ${url}`)
      const answer = reply(asked.at(-1) ?? "")
      if (answer === undefined) throw new TypeError("Failed to fetch")
      const { status, body, headers = {} } = answer
      return { ok: status < 300, status, json: async () => body, headers: new Headers(headers) }
    },
    window
  })

  /** Lets time pass, and everything that falls due in it happen in order. */
  const wait = async (ms: number) => {
    const until = time + ms
    for (let i = 0; i < 10; i++) await Promise.resolve()
    for (;;) {
      const [next] = [...timers].filter(([, { at }]) => at <= until).toSorted(([, a], [, b]) => a.at - b.at)
      if (next === undefined) break
      const [id, { at, every, run }] = next
      time = at
      if (every === null) timers.delete(id)
      else timers.set(id, { at: at + every, every, run })
      run()
      for (let i = 0; i < 10; i++) await Promise.resolve()
    }
    time = until
  }
  const tell = async (name: string, event: object = {}) => {
    listeners.get(name)?.(event)
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  return {
    main: elements.main,
    part: (name: string) => elements.byData.get(name)!,
    visited,
    asked,
    document,
    navigator,
    wait,
    tell
  }
}

const elementsOf = (page: string) => {
  const made = tagsOf(page).map((tag) => {
    const dataset: Record<string, string> = {}
    for (const [, name = "", value = ""] of tag.matchAll(/\sdata-(\w+)(?:="([^"]*)")?/g)) dataset[name] = value
    return elementOf(dataset, tag, page)
  })
  const main = made.find(({ tag }) => tag.startsWith("<main"))!
  const byData = new Map(
    made.flatMap((element) => Object.keys(element.dataset).map((name) => [name, element] as const))
  )
  return { main, byData }
}

const elementOf = (dataset: Record<string, string>, tag: string, page: string): Element & { readonly tag: string } => {
  const classes = new Set<string>()
  let click = () => {}
  return {
    tag,
    dataset,
    classes,
    href: /\shref="([^"]*)"/.exec(tag)?.[1] ?? null,
    style: {},
    hidden: /\shidden[\s>]/.test(tag),
    textContent: contentOf(page.slice(page.indexOf(tag)), /^<(\w+)/.exec(tag)?.[1] ?? ""),
    click: () => click(),
    ...{
      classList: { toggle: (name: string, on: boolean) => void (on ? classes.add(name) : classes.delete(name)) },
      addEventListener: (_name: string, listener: () => void) => {
        click = listener
      }
    }
  }
}
