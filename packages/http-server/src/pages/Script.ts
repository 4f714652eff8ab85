/**
 * The script of the pages, the same for all of them, so that its digest in the Content-Security-Policy is too. It runs
 * in the visitor's browser; everything it needs stands in `data-` attributes. Without it the pages refresh by
 * themselves. Pages carry `MinifiedScript.ts`, which `npm run generate` makes of this.
 */
import { type Html, verbatim } from "@tolem/core/value/Html"

/** The script of the pages, for its authors. */
export const scriptSource: Html = verbatim`(() => {
  "use strict"
  const now = Date.now
  const on = addEventListener
  const main = document.querySelector("main")
  const find = (name) => main.querySelector("[data-" + name + "]")
  const live = find("live")
  const say = (text) => {
    if (live && live.textContent !== text) live.textContent = text
  }

  // Countdown. The deadline comes as time left, because the clock of a phone may be wrong.
  const clock = find("clock")
  let deadline = 0
  let patience = live ? live.textContent : ""
  const two = (number) => String(number).padStart(2, "0")
  const tick = () => {
    const left = Math.max(0, deadline - now())
    const seconds = Math.ceil(left / 1000)
    const hours = Math.floor(seconds / 3600)
    const minutes = Math.floor(seconds / 60) % 60
    find("left").textContent = (hours > 0 ? hours + ":" + two(minutes) : minutes) + ":" + two(seconds % 60)
    find("bar").style.transform = "scaleX(" + Math.min(1, left / Number(clock.dataset.full)) + ")"
    main.classList.toggle("soon", left > 0 && left <= 30000)
    main.classList.toggle("over", left === 0)
    if (left === 0 && patience !== live.dataset.over) say((patience = live.dataset.over))
  }
  if (clock) {
    deadline = now() + Number(clock.dataset.clock)
    clock.hidden = false
    tick()
    setInterval(tick, 250)
  }
  const correct = (left) => {
    if (clock && left !== null && Math.abs(deadline - now() - left) > 3000) deadline = now() + left
  }

  // Changes. The server tells of them while the page is looked at; what differs from the page loads it anew.
  const { poll, changes, seen } = main.dataset
  let streams = Boolean(window.EventSource)
  let source = null
  let timer = 0
  let failures = 0
  let asking = false
  let tapped = 0
  on("click", () => (tapped = now()))
  const told = (facts) => {
    const word = facts.seen
    // A server of an earlier version does not say all that this page knows.
    if (!(seen + "-").startsWith(word + "-")) {
      const at = now()
      const last = { ...history.state }
      // Who has just tapped something is on the way: to load this page anew would call them back. Without a network
      // there would be no page at all. And servers of two versions that answer in turns may never agree: once in ten
      // seconds for each word.
      const isLost = navigator.onLine === false
      if (isLost || at - tapped < 3000 || at - last[word] < 10000) return setTimeout(told, 3000, facts)
      history.replaceState({ ...last, [word]: at }, "")
      return location.reload()
    }
    failures = 0
    say(patience)
    correct(facts.leftMs)
  }
  // Where streams do not come through: a question that the server answers when there is something to tell.
  const ask = async () => {
    clearTimeout(timer)
    if (asking || document.hidden) return
    asking = true
    const every = Number(main.dataset.every)
    const askedAt = now()
    let wait = every
    try {
      const answer = await fetch(poll + "?seen=" + seen, { cache: "no-store", credentials: "omit" })
      if (answer.ok) {
        told(await answer.json())
        if (now() - askedAt > every) wait = 100
      } else {
        wait = Math.max(wait, 1000 * Number(answer.headers.get("retry-after")))
      }
    } catch {
      failures += 1
      wait = Math.min(30000, wait * 2 ** failures)
      say(live.dataset.offline)
    }
    asking = false
    timer = setTimeout(ask, wait)
  }
  const listen = () => {
    if (document.hidden) {
      if (source) source.close()
      source = null
    } else if (!streams) {
      ask()
    } else if (!source) {
      const own = (source = new EventSource(changes))
      own.onmessage = (event) => told(JSON.parse(event.data))
      own.onerror = () => {
        failures += 1
        // It tries again by itself, unless it was refused.
        if (own.readyState !== 2 && failures < 9) return failures > 1 && say(live.dataset.offline)
        own.close()
        streams = false
        ask()
      }
    }
  }
  if (poll) {
    if (streams) listen()
    else timer = setTimeout(ask, Number(main.dataset.every))
    on("visibilitychange", listen)
    on("online", listen)
    on("offline", () => say(live.dataset.offline))
  }

  // The code is made for those who look at the page: not for a tab behind others, nor for one that is loaded ahead.
  const form = find("code")
  let demands = 0
  const offer = () => {
    form.hidden = false
    say((patience = form.dataset.closed))
  }
  const demand = async () => {
    if (demands === 5) return offer()
    demands += 1
    let wait = 2000 * 2 ** demands
    try {
      const sent = { method: "POST", headers: { accept: "application/json" }, credentials: "omit" }
      const answer = await fetch(form.dataset.code, sent)
      if (answer.ok && (await answer.json()).made) return location.reload()
      if (answer.status === 429) wait = 1000 * Number(answer.headers.get("retry-after"))
      else if (!answer.ok) return offer()
      say(patience)
    } catch {
      demands -= 1
      say(live.dataset.offline)
    }
    setTimeout(demand, wait)
  }
  const attend = () => {
    if (document.hidden || document.prerendering || demands > 0) return
    demand()
  }
  if (form) {
    form.hidden = true
    live.hidden = false
    say((patience = form.dataset.asking))
    attend()
    on("visibilitychange", attend)
    document.addEventListener("prerenderingchange", attend)
  }
  // A page that the browser kept from before may tell what is no longer so.
  on("pageshow", (event) => event.persisted && location.reload())

  // In a frame: the site around it hears at its own address what happens, if it may, and decides what comes next.
  const isFramed = window.parent !== window
  let site = ""
  const tell = (type) => {
    const { invoice, is } = main.dataset
    if (site) parent.postMessage({ tolem: 1, type, invoiceId: invoice, status: is }, site)
  }
  if (isFramed) {
    const sites = (document.body.dataset.sites || "").split(" ")
    on("message", ({ source, origin, data }) => {
      if (source !== parent || !sites.includes(origin) || !data || data.tolem !== 1) return
      site = origin
      const { is } = main.dataset
      tell(!is || is === "new" || is === "pending" ? "opened" : is)
    })
    on("keydown", ({ key }) => key === "Escape" && tell("close"))
    for (const link of document.querySelectorAll("main a[href^=http], main a[data-out]")) {
      link.target = "_blank"
      link.rel = "noopener"
      if (link.dataset.back === undefined) continue
      link.addEventListener("click", (event) => {
        if (site) event.preventDefault()
        tell("close")
      })
    }
  }

  // Return to the seller, unless the visitor would rather stay.
  const back = find("return")
  if (back && isFramed) find("soon").hidden = true
  else if (back) {
    const number = find("seconds")
    const stay = find("stay")
    let seconds = Number(back.dataset.return)
    const counting = setInterval(() => {
      seconds -= 1
      number.textContent = seconds
      if (seconds > 0) return
      clearInterval(counting)
      location.replace(back.href)
    }, 1000)
    number.hidden = stay.hidden = false
    stay.addEventListener("click", () => {
      clearInterval(counting)
      number.hidden = stay.hidden = find("soon").hidden = true
    })
  }

  const help = find("help")
  if (help) {
    help.hidden = true
    setTimeout(() => (help.hidden = false), Number(help.dataset.help))
  }

  // Handed on without the language: the next reader has one of their own.
  const share = find("share")
  if (share && (navigator.share || navigator.clipboard)) {
    const url = location.origin + location.pathname
    share.hidden = false
    share.addEventListener("click", async () => {
      try {
        if (navigator.share) return await navigator.share({ title: document.title, url })
        await navigator.clipboard.writeText(url)
        share.textContent = share.dataset.share
      } catch {
        // Who is asked may say no.
      }
    })
  }

  const print = find("print")
  if (print) {
    print.hidden = false
    print.addEventListener("click", () => window.print())
  }
})()`
