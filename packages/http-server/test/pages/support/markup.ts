/** Looking into pages. */
import { createHash } from "node:crypto"
import { expect } from "vitest"
import type { Answer } from "./site.ts"

/** The start tags of a page, outside of style and script. */
export const tagsOf = (text: string): ReadonlyArray<string> =>
  text.replace(/(<(?:style|script)>)[\s\S]*?<\//g, "$1</").match(/<[a-z][^>]*>/gi) ?? []

/** What stands in the element; the first one where there are several. */
export const contentOf = (text: string, element: string): string =>
  new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`).exec(text)?.[1] ?? ""

/** The value of an attribute as a browser reads it; null if no tag has it. */
export const attributeOf = (text: string, name: string): string | null => {
  const value = tagsOf(text).flatMap((tag) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? [])[0]
  return value === undefined ? null : unescaped(value)
}

/** Every link of a page. */
export const linksOf = (text: string): ReadonlyArray<string> =>
  tagsOf(text).flatMap((tag) => {
    const link = /\s(?:href|src|action)="([^"]*)"/.exec(tag)?.[1]
    return link === undefined ? [] : [unescaped(link)]
  })

/** The text that a person reads. */
export const readable = (text: string): string =>
  unescaped(
    contentOf(text, "body")
      .replace(/<(script|noscript)>[\s\S]*?<\/\1>/g, "")
      .replace(/<[^>]*>/g, " ")
  ).replace(/[ \n]+/g, " ")

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** What holds of every page: its headers, a policy that fits its style and script, and nothing from elsewhere. */
export const expectPage = ({ headers, text }: Answer, language = "en"): void => {
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(headers.get("cache-control")).toBe("no-store")
  expect(headers.get("referrer-policy")).toBe("no-referrer")
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  expect(headers.get("x-frame-options")).toBe("DENY")
  expect(headers.get("content-language")).toBe(language)
  expect(headers.get("set-cookie")).toBeNull()
  expect(text).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}">`))
  const policy = new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((rule) => {
      const [name = "", ...sources] = rule.split(" ")
      return [name, sources.join(" ")] as const
    })
  )
  const digestOf = (element: string) =>
    Array.from(text.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, "g")))
      .map(([, content = ""]) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`)
      .join(" ")
  expect(Object.fromEntries(policy)).toEqual({
    "default-src": "'none'",
    "script-src": text.includes("<script") ? digestOf("script") : expect.stringMatching(/^'sha256-[^ ]+'$/),
    "style-src": digestOf("style"),
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": text.includes("<form") ? "'self'" : "'none'",
    "frame-ancestors": "'none'"
  })
  expect((text.match(/<style/g) ?? []).length).toBeLessThanOrEqual(2)
  expect((text.match(/<script/g) ?? []).length).toBeLessThanOrEqual(1)
  expect(text.match(/<h1/g)).toHaveLength(1)
  for (const tag of tagsOf(text)) {
    expect(tag).not.toMatch(/^<(iframe|object|embed|base)\b/i)
    if (tag.startsWith("<link")) expect(tag).toMatch(/^<link rel="icon" href="[^"]*\/favicon\.svg"/)
    if (tag.startsWith("<img")) expect(tag).toMatch(/ src="[^"]*\/pictures\/[0-9a-f]{40}" alt=""/)
    if (tag.startsWith("<form")) expect(tag).toMatch(/^<form [^>]*method="post" action="[/?]/)
    expect(tag).not.toMatch(tag.startsWith("<img") ? /\s(style|on\w+|srcdoc)\s*=/i : /\s(style|on\w+|srcdoc|src)\s*=/i)
  }
}
