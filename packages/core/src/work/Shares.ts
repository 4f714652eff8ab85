/**
 * Places that tenants share, each for one job under way. A tenant takes no more than it leaves: one alone half of all,
 * two a third each. So a newcomer finds a place, however much others have under way. Plain bookkeeping.
 */
import { type Among, type Tenant, tenantKey } from "../value/Tenant.ts"

/** `total` places, none of them taken. */
export const make = (total: number) => {
  const counts = new Map<string, number>()
  const served = new Map<string, number>()
  let running = 0
  let turn = 0

  const countOf = (key: string) => counts.get(key) ?? 0
  /** Places that may be taken now, so that as many are left. */
  const room = () => Math.ceil((total - running) / 2)
  /** How many more a tenant may take, as many being left afterwards. */
  const roomOf = (key: string) => Math.floor((total - running - countOf(key)) / 2)

  return {
    running: () => running,
    room,
    /** Whether a tenant has more than is left. */
    isTight: () => [...counts.values()].some((count) => count > total - running),
    enter: (tenant: Tenant): void => {
      const key = tenantKey(tenant)
      counts.set(key, countOf(key) + 1)
      running++
    },
    leave: (tenant: Tenant): void => {
      const key = tenantKey(tenant)
      const left = countOf(key) - 1
      if (left > 0) counts.set(key, left)
      else counts.delete(key)
      running--
    },
    /**
     * The tenants whose waiting rows to claim, at most `most` rows in all. Tenants that have their share get no more,
     * and those that were served longest ago come first. Undefined if none may have more.
     */
    choose: (waiting: ReadonlyArray<Tenant>, most: number): Among | undefined => {
      const limit = Math.min(most, total - running)
      const isAllowed = (key: string) => limit > 0 && (countOf(key) === 0 || roomOf(key) > 0)
      const chosen = waiting
        .map((tenant) => ({ tenant, key: tenantKey(tenant) }))
        .filter(({ key }) => isAllowed(key))
        .sort((a, b) => (served.get(a.key) ?? -1) - (served.get(b.key) ?? -1))
        .slice(0, limit)
      if (chosen.length === 0) return undefined
      turn++
      for (const { key } of chosen) served.set(key, turn)
      const share = Math.floor(limit / chosen.length)
      const each = Math.max(1, Math.min(share, ...chosen.map(({ key }) => roomOf(key))))
      const busy = new Set([...counts.keys()].filter((key) => !isAllowed(key)))
      return { tenants: chosen.map(({ tenant }) => tenant), each, busy }
    },
    /** Forgets who was served when: nothing waits any more. */
    rest: () => served.clear()
  }
}

/** Who has how much under way, and whose turn it is. */
export interface Shares extends ReturnType<typeof make> {}
