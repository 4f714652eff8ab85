/** Organizations, their people, keys and cashiers, as promises; see `createEngine`. */
import { Effect, Redacted, Result } from "effect"
import { auditJson } from "../audit/Audit.ts"
import type { AuditQuery } from "../audit/AuditStore.ts"
import { type Connection, connectionJson, loginJson } from "../connection/Connection.ts"
import type { Engine } from "../engine/Engine.ts"
import { FieldRefused } from "../error/Refusals.ts"
import type { Profile } from "../face/ProfileStore.ts"
import { type ProfileDetails, profileJson } from "../face/Profiles.ts"
import type { DirectoryQuery, Member, MembershipView } from "../merchant/DirectoryStore.ts"
import { accountEntryJson, keyJson, keysJson, memberJson, membershipJson, newKeyJson } from "../merchant/KeyJson.ts"
import type { Organization } from "../merchant/Merchant.ts"
import type { KeyDetails, OrganizationDetails } from "../merchant/OrganizationRequests.ts"
import type { NewOrganization } from "../merchant/Organizations.ts"
import { organizationJson, ownerJson } from "../partner/PartnerClient.ts"
import type { ProviderSession } from "../provider/PaymentProvider.ts"
import type { ApiKeyId, ConnectionId, LoginProcessId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { queryPage } from "../value/QueryChecks.ts"
import { faceOf, nothing, type RunPromise, same } from "./Faces.ts"
import type { PageFilter } from "./Filters.ts"

/** A page of a list of those who run the platform. */
export interface DirectoryRequest extends PageFilter {
  /** Part of a name, a phone or an id. */
  readonly search?: string | null
}

const query = ({ search = null, ...page }: DirectoryRequest, { settings }: Engine["Service"]) => {
  const bounds = Result.mapError(queryPage(page, settings), (code) => new FieldRefused({ code }))
  return Effect.fromResult(Result.map(bounds, (given): DirectoryQuery => ({ search, ...given })))
}

/** Organizations and their keys. */
export const organizationsOf = (engine: Engine["Service"], run: RunPromise) => {
  const { organizations, profiles, modes, directory, settings } = engine
  const show = (organization: Organization, at: number) =>
    organizationJson(organization, at, settings.tariffs.catalogue)
  const shownProfile = (profile: Profile) => profileJson(profile, settings.baseUrl)
  const verbs = {
    ...organizations,
    /** Opens an organization; its owner's account is made if the phone is new. */
    create: (request: OrganizationDetails) => organizations.create(request),
    /** Organizations, newest first, and the number of all that match. */
    list: (request: DirectoryRequest = {}) =>
      Effect.flatMap(query(request, engine), (asked) =>
        Effect.map(directory.organizations(asked), (page) => ({ ...asked, ...page }))
      ),
    /** What customers see of an organization. */
    profile: profiles.get,
    /**
     * Changes what customers see: the members that are given; null takes one away. With `version` only if that is still
     * the profile's, else `organization_changed`.
     */
    change: (organizationId: OrganizationId, changes: ProfileDetails) =>
      profiles.change(organizationId, { ...changes }),
    /** Draws a file anew as the logo: PNG, JPEG or WebP up to 256 KiB. Needs `pictures` of `createEngine`. */
    setLogo: profiles.setLogo,
    /** Takes the logo away. */
    removeLogo: profiles.removeLogo,
    /** Switches the mode that an organization works in; `live` needs a cashier who works. */
    switchMode: (organizationId: OrganizationId, mode: Mode) => modes.switchTo(organizationId, mode),
    /** Makes a key for the HTTP interface. Its text is shown this once. */
    createKey: (request: KeyDetails) => organizations.createKey(request),
    /** Binds a key to a cashier of its organization, or (null) to none: it sees this cashier's live invoices only. */
    bindKey: (organizationId: OrganizationId, id: ApiKeyId, connectionId: ConnectionId | null) =>
      organizations.rebindKey(organizationId, id, connectionId)
  }
  return faceOf(run)(verbs, {
    create: ({ organization, owner }: NewOrganization, at: number) => ({
      organization: show(organization, at),
      owner: ownerJson(owner)
    }),
    ensure: null,
    createClient: null,
    get: show,
    list: ({ organizations: found, total, limit, offset }, at: number) => ({
      total,
      limit,
      offset,
      organizations: found.map(({ organization, ownerStatus }) => ({ ...show(organization, at), ownerStatus }))
    }),
    profile: shownProfile,
    change: shownProfile,
    setLogo: shownProfile,
    removeLogo: shownProfile,
    switchMode: show,
    setStatus: same,
    keys: keysJson,
    createKey: newKeyJson,
    bindKey: keyJson,
    rebindKey: null,
    deleteKey: same,
    setAccountStatus: null
  })
}

/** People. */
export const accountsOf = (engine: Engine["Service"], run: RunPromise) => {
  const { organizations, directory } = engine
  const verbs = {
    /** Accounts, newest first, and the number of all that match. */
    list: (request: DirectoryRequest = {}) =>
      Effect.flatMap(query(request, engine), (asked) =>
        Effect.map(directory.accounts(asked), (page) => ({ ...asked, ...page }))
      ),
    /** What a person is a member of, oldest first. */
    memberships: directory.parts,
    /** Blocks a person or lets them act again. Sessions end with a block. False if there is no such account. */
    setStatus: organizations.setAccountStatus
  }
  return faceOf(run)(verbs, {
    list: ({ total, limit, offset, accounts }) => ({
      total,
      limit,
      offset,
      accounts: accounts.map(accountEntryJson)
    }),
    memberships: (parts: ReadonlyArray<MembershipView>) => ({ memberships: parts.map(membershipJson) }),
    setStatus: same
  })
}

/** Members of organizations. */
export const membersOf = ({ members }: Engine["Service"], run: RunPromise) =>
  faceOf(run)(members, {
    list: (all: ReadonlyArray<Member>) => ({ members: all.map(memberJson) }),
    enter: ({ role }: MembershipView) => ({ role }),
    add: memberJson,
    remove: same
  })

/** Cashiers at the provider. Live invoices are paid through them. */
export const connectionsOf = ({ connections }: Engine["Service"], run: RunPromise) => {
  const verbs = {
    ...connections,
    /** Adds a cashier; with a `session` of the provider they are logged in already. */
    create: (organizationId: OrganizationId, { name, session }: { readonly name: string; readonly session?: string }) =>
      connections.create(organizationId, { name, session: session === undefined ? undefined : sessionOf(session) }),
    /** Has a code sent to the cashier's phone, 7XXXXXXXXXX. */
    sendPhone: (
      organizationId: OrganizationId,
      id: ConnectionId,
      request: { readonly processId: LoginProcessId; readonly phone: string }
    ) => connections.sendPhone(organizationId, id, request),
    /** Ends the login with that code. */
    verifyOtp: (
      organizationId: OrganizationId,
      id: ConnectionId,
      { processId, otp }: { readonly processId: LoginProcessId; readonly otp: string }
    ) => connections.verifyOtp(organizationId, id, { processId, otp: Redacted.make(otp) }),
    /** Nothing new is begun through them until they are enabled. */
    disable: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "Disabled" }),
    /** They work again. */
    enable: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "Enabled" }),
    /** From now on keys that are bound to none use this cashier. */
    makeDefault: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "MadeDefault" })
  }
  return faceOf(run)(verbs, {
    create: connectionJson,
    list: (all: ReadonlyArray<Connection>) => ({ connections: all.map(connectionJson) }),
    get: connectionJson,
    initLogin: loginJson,
    sendPhone: loginJson,
    verifyOtp: connectionJson,
    disable: connectionJson,
    enable: connectionJson,
    makeDefault: connectionJson,
    change: null,
    remove: nothing,
    forCreate: null,
    ofInvoice: null,
    sessionLost: null
  })
}

const sessionOf = (text: string): ProviderSession => Redacted.make(text)

/** Who has done what. */
export const auditOf = ({ audit, settings }: Engine["Service"], run: RunPromise) => {
  const verbs = {
    /** Records, newest first: of one organization where given, those before `before` (an id) where given. */
    list: ({ organizationId = null, before = null, limit = settings.defaultPageSize }: Partial<AuditQuery> = {}) =>
      audit.list({ organizationId, before, limit: Math.min(Math.max(limit, 1), settings.maxPageSize) })
  }
  return faceOf(run)(verbs, { list: (records) => ({ records: records.map(auditJson) }) })
}
