/** The sandbox provider: a payment system that moves no money. */
import { SandboxLinks } from "@tolem/core/provider/SandboxLinks"
import { Layer } from "effect"

/** How the sandbox provider presents itself. */
export interface Options {
  /** Scheme of the links that open its app. Default `tolem-sandbox`. */
  readonly scheme?: string | undefined
}

/** The provider in this process. QR codes lead to the pay page; app links have a scheme of their own. */
export const make = (options: Options = {}): SandboxLinks["Service"] => {
  const scheme = options.scheme ?? "tolem-sandbox"
  return {
    name: "Sandbox",
    sandboxLinks: ({ id, payUrl }) => ({ qrUrl: payUrl, deepLink: `${scheme}://pay/${id}` })
  }
}

/** See `make`. */
export const layer = (options: Options = {}): Layer.Layer<SandboxLinks> => Layer.succeed(SandboxLinks, make(options))
