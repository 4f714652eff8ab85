/**
 * The script that sites of merchants load: it opens a pay page, or that of a payment link, in a dialog, and tells the
 * site what becomes of it. It runs in the site's page and needs nothing of it; what happens in the frame it hears only
 * from the frame that it made, at this server's origin.
 */
import { type Html, html, scriptData, tightScript, verbatim } from "@tolem/core/value/Html"

/** What the dialog is called, its button to close it, and its link to the page: by language. */
const words = scriptData({
  kk: ["Төлем", "Жабу", "Төлем бетін жаңа бетте ашу"],
  ru: ["Оплата", "Закрыть", "Открыть страницу оплаты в новой вкладке"],
  en: ["Payment", "Close", "Open the payment page in a new tab"]
})

const script = verbatim`(words) => {
  "use strict"
  const own = document.currentScript
  if (!own || window.Tolem || !window.HTMLDialogElement) return
  const base = new URL(".", own.src)
  const style =
    "dialog{box-sizing:border-box;width:min(30rem,100vw - 2rem);max-width:none;height:min(52rem,100vh - 2rem);" +
    "max-height:none;padding:0;border:0;border-radius:1.25rem;overflow:hidden;background:Canvas;color:CanvasText;" +
    "color-scheme:light dark;box-shadow:0 1rem 4rem rgb(0 0 0/.35)}" +
    "dialog::backdrop{background:rgb(0 0 0/.55)}" +
    "iframe{position:absolute;inset:0;width:100%;height:100%;border:0}" +
    "button{position:absolute;z-index:1;inset:.5rem .5rem auto auto;width:2.75rem;height:2.75rem;border:0;" +
    "border-radius:50%;font:1.5rem/1 system-ui,sans-serif;color:CanvasText;background:Canvas;cursor:pointer;" +
    "box-shadow:0 0 0 1px rgb(127 127 127/.4)}" +
    "button:focus-visible,a:focus-visible{outline:3px solid Highlight;outline-offset:2px}" +
    "a{position:absolute;inset:50% 1rem auto;font:1rem system-ui,sans-serif;text-align:center;color:LinkText}" +
    "@media(max-width:33rem){dialog{width:100vw;height:100vh;height:100dvh;border-radius:0}}"
  let shown = null

  const languageOf = (asked) => {
    const known = [asked, document.documentElement.lang].map((each) => String(each || "").slice(0, 2).toLowerCase())
    return known.find((each) => Object.hasOwn(words, each))
  }

  // The page behind does not move while the dialog is open, and does not jump when its scroll bar goes.
  const lockScroll = () => {
    const { style: page, clientWidth } = document.documentElement
    const { overflow, paddingRight } = page
    page.paddingRight = innerWidth - clientWidth + "px"
    page.overflow = "hidden"
    return () => Object.assign(page, { overflow, paddingRight })
  }

  const partsOf = (url, lang) => {
    const [title, close, elsewhere] = words[lang || "en"]
    const make = (name, members) => Object.assign(document.createElement(name), members)
    const host = make("div", { lang: lang || "en" })
    const root = host.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const dialog = make("dialog", { ariaLabel: title })
    const button = make("button", { type: "button", ariaLabel: close, textContent: "\\u00d7" })
    const link = make("a", { href: url.href, target: "_blank", rel: "noopener", textContent: elsewhere, hidden: true })
    const frame = make("iframe", { title, allow: "clipboard-write; web-share", src: url.href })
    dialog.append(button, frame, link)
    root.append(dialog)
    return { host, dialog, button, link, frame }
  }

  const isPayable = ({ href }) => ["pay/", "l/"].some((path) => href.startsWith(base.href + path))

  const open = (address, { lang, onEvent } = {}) => {
    const url = new URL(address, location.href)
    if (!isPayable(url)) throw new TypeError("Tolem.open takes the address of a pay page or of a payment link")
    const language = languageOf(lang || url.searchParams.get("lang"))
    if (language) url.searchParams.set("lang", language)
    if (shown) shown()
    const { host, dialog, button, link, frame } = partsOf(url, language)
    let last = { invoiceId: null, status: null }
    let isOpened = false
    const tell = (type) => {
      const detail = { type, ...last }
      dispatchEvent(new CustomEvent("tolem", { detail }))
      if (onEvent) onEvent(detail)
    }
    const hear = ({ source, origin, data }) => {
      if (source !== frame.contentWindow || origin !== base.origin || !data || data.tolem !== 1) return
      if (data.type === "close") return end()
      const { invoiceId = null, status = null } = data
      const isNew = invoiceId !== last.invoiceId || status !== last.status
      last = { invoiceId, status }
      link.hidden = true
      if (!isOpened) tell("opened")
      isOpened = true
      if (isNew && data.type !== "opened") tell(data.type)
    }
    addEventListener("message", hear)
    // Each page in the frame is told anew who wants to hear of it. One that may not be shown says nothing.
    frame.addEventListener("load", () => {
      frame.contentWindow.postMessage({ tolem: 1, type: "listen" }, base.origin)
      setTimeout(() => (link.hidden = isOpened), 3000)
    })
    const unlock = lockScroll()
    // At once, so that the next dialog finds the page as it was: the browser tells of a closed one only later.
    const end = () => {
      if (shown !== end) return
      shown = null
      removeEventListener("message", hear)
      dialog.close()
      unlock()
      host.remove()
      // After what runs now, which may open the next dialog, and before anything can be heard of that one.
      queueMicrotask(() => tell("closed"))
    }
    button.addEventListener("click", end)
    dialog.addEventListener("close", end)
    document.body.append(host)
    dialog.showModal()
    shown = end
    return { close: end }
  }

  // Links work without this script too, and as always with a second button or a key held down.
  document.addEventListener("click", (event) => {
    const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey, target } = event
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    const link = target.closest && target.closest("a[data-tolem]")
    if (!link || !isPayable(link)) return
    event.preventDefault()
    open(link.href, { lang: link.dataset.lang })
  })
  window.Tolem = { open }
}`

/** The script of `/embed.js`. A change that sites would notice gets another address. */
export const embedScript: Html = tightScript(html`(${script})(${words})`)
