/** How soon a person sees a page, in Chromium on a machine and a network that are made slow. */
import { type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"

/** A network and a processor. */
export interface Conditions {
  readonly name: string
  /** Kilobits a second, both ways; null: as it is. */
  readonly kilobits: number | null
  /** Until the first byte of an answer comes, milliseconds. */
  readonly roundTripMs: number
  /** How many times slower the processor is. */
  readonly slowdown: number
}

/** WebPageTest's and Lighthouse's "slow 3G", with a phone's processor. */
export const slowPhone: Conditions = {
  name: "slow 3G (400 kbit/s, 400 ms), CPU 6 times slower",
  kilobits: 400,
  roundTripMs: 400,
  slowdown: 6
}

/** This machine, over its own loopback interface. */
export const thisMachine: Conditions = { name: "this machine", kilobits: null, roundTripMs: 0, slowdown: 1 }

/** One load of a page. */
export interface Paint {
  readonly paintMs: number
  /** The document is read and its script has run. */
  readonly interactiveMs: number
  /** Of the document as it was sent. */
  readonly bytes: number
  /** What the browser asked for until the page was loaded. */
  readonly requests: ReadonlyArray<string>
}

// The page's policy lets nothing wait for it but an observer.
const painted = `new Promise((resolve) =>
  new PerformanceObserver((list) => list.getEntriesByName("first-contentful-paint").length > 0 && resolve(null))
    .observe({ type: "paint", buffered: true }))`

const timings = `(() => {
  const [navigation] = performance.getEntriesByType("navigation")
  const [paint] = performance.getEntriesByName("first-contentful-paint")
  return {
    paintMs: paint ? paint.startTime : null,
    interactiveMs: navigation.domContentLoadedEventEnd,
    bytes: navigation.encodedBodySize
  }
})()`

/** Loads the page so many times, each time as someone who comes for the first time. */
export const paints = async (url: string, conditions: Conditions, times: number): Promise<ReadonlyArray<Paint>> => {
  const browser = await openBrowser({ isMeasured: true })
  try {
    await load(browser, url, conditions) // the browser itself has to get going
    const all: Array<Paint> = []
    for (let time = 0; time < times; time++) all.push(await load(browser, url, conditions))
    return all
  } finally {
    await browser.close()
  }
}

const load = async (browser: OpenBrowser, url: string, conditions: Conditions): Promise<Paint> => {
  const { kilobits, roundTripMs, slowdown } = conditions
  const { page, close } = await browser.visitor({ touch: true, fresh: true })
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = kilobits === null ? -1 : (kilobits * 1000) / 8
  await session.send("Network.enable")
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond
  })
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
  const requests: Array<string> = []
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(url)
  const asked = [...requests]
  await page.evaluate(painted)
  const paint: Omit<Paint, "requests"> = await page.evaluate(timings)
  await close()
  return { ...paint, requests: asked }
}
