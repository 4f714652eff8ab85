/**
 * Loaded into a server before its program: names below `nowhere.example.kz` have one address, which is public by the
 * registries, and in a network without routes out of reach at once.
 */
import { promises } from "node:dns"

const address = "1.1.1.1"

/** A resolver that knows the names. */
const knowing = (resolve: (name: string) => Promise<unknown>, known: ReadonlyArray<string>) =>
  function (this: promises.Resolver, name: string) {
    return /\.nowhere\.example\.kz\.?$/.test(name) ? Promise.resolve(known) : resolve.call(this, name)
  }

const { resolve4, resolve6 } = promises.Resolver.prototype
Object.assign(promises.Resolver.prototype, {
  resolve4: knowing(resolve4, [address]),
  resolve6: knowing(resolve6, [])
})
