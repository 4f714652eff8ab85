/** Organizations, their people, keys and cashiers, as promises; see `createEngine`. */
import { Effect, Redacted, Result } from "effect"
import { auditJson } from "../audit/Audit.ts"
import type { AuditQuery } from "../audit/AuditStore.ts"
import { type Connection, connectionJson, loginJson } from "../connection/Connection.ts"
import type { Engine } from "../engine/Engine.ts"
import { FieldRefused } from "../error/Refusals.ts"
import type { Profile } from "../face/ProfileStore.ts"
import { type ProfileDetails, profileJson } from "../face/Profiles.ts"
import type { DirectoryQuery, MembershipView } from "../merchant/DirectoryStore.ts"
import { accountEntryJson, keyJson, keysJson, membershipJson, newKeyJson } from "../merchant/KeyJson.ts"
import type { Account, Organization } from "../merchant/Merchant.ts"
import type { KeyDetails, OrganizationDetails } from "../merchant/OrganizationRequests.ts"
import type { NewOrganization } from "../merchant/Organizations.ts"
import { organizationJson, ownerJson } from "../partner/PartnerClient.ts"
import type { ProviderSession } from "../provider/PaymentProvider.ts"
import type { AccountId, ApiKeyId, ConnectionId, LoginProcessId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { queryPage } from "../value/QueryChecks.ts"
import { faceOf, nothing, type RunPromise, same } from "./Faces.ts"
import type { ListPage, PageFilter } from "./Filters.ts"

/** A page of a list of those who run the platform. */
export interface DirectoryRequest extends PageFilter {
  /** Part of a name, a phone or an id. */
  readonly search?: string | null
}

const query = ({ search = null, ...page }: DirectoryRequest, { settings }: Engine["Service"]) => {
  const bounds = Result.mapError(queryPage(page, settings), (code) => new FieldRefused({ code }))
  return Effect.fromResult(Result.map(bounds, (given): DirectoryQuery => ({ search, ...given })))
}

type OrganizationObject = ReturnType<typeof organizationJson>
type ProfileObject = ReturnType<typeof profileJson>
type ConnectionObject = ReturnType<typeof connectionJson>
type LoginObject = ReturnType<typeof loginJson>

/** Organizations and their keys. */
export interface EmbeddedOrganizations {
  /** Opens an organization; its owner's account is made if the phone is new. */
  readonly create: (
    request: OrganizationDetails
  ) => Promise<{ readonly organization: OrganizationObject; readonly owner: ReturnType<typeof ownerJson> }>
  /** One organization. */
  readonly get: (id: OrganizationId) => Promise<OrganizationObject>
  /** Organizations, newest first, and the number of all that match. */
  readonly list: (request?: DirectoryRequest) => Promise<
    ListPage & {
      readonly organizations: ReadonlyArray<OrganizationObject & { readonly ownerStatus: Account["status"] }>
    }
  >
  /** What customers see of an organization. */
  readonly profile: (id: OrganizationId) => Promise<ProfileObject>
  /**
   * Changes what customers see: the members that are given; null takes one away. With `version` only if that is still
   * the profile's, else `organization_changed`.
   */
  readonly change: (organizationId: OrganizationId, changes: ProfileDetails) => Promise<ProfileObject>
  /** Draws a file anew as the logo: PNG, JPEG or WebP up to 256 KiB. Needs `pictures` of `createEngine`. */
  readonly setLogo: (id: OrganizationId, file: Uint8Array) => Promise<ProfileObject>
  /** Takes the logo away. */
  readonly removeLogo: (id: OrganizationId) => Promise<ProfileObject>
  /** Switches the mode that an organization works in; `live` needs a cashier who works. */
  readonly switchMode: (organizationId: OrganizationId, mode: Mode) => Promise<OrganizationObject>
  /** By the operator. False if there is no such organization. */
  readonly setStatus: (id: OrganizationId, status: Organization["status"]) => Promise<boolean>
  /** The keys of an organization, without their texts, oldest first. */
  readonly keys: (organizationId: OrganizationId) => Promise<ReturnType<typeof keysJson>>
  /** Makes a key for the HTTP interface. Its text is shown this once. */
  readonly createKey: (request: KeyDetails) => Promise<ReturnType<typeof newKeyJson>>
  /** Binds a key to a cashier of its organization, or (null) to none: it sees this cashier's live invoices only. */
  readonly bindKey: (
    organizationId: OrganizationId,
    id: ApiKeyId,
    connectionId: ConnectionId | null
  ) => Promise<ReturnType<typeof keyJson>>
  /** Deletes a key at once and for good. False if there is none. */
  readonly deleteKey: (id: ApiKeyId) => Promise<boolean>
}

/** People. */
export interface EmbeddedAccounts {
  /** Accounts, newest first, and the number of all that match. */
  readonly list: (
    request?: DirectoryRequest
  ) => Promise<ListPage & { readonly accounts: ReadonlyArray<ReturnType<typeof accountEntryJson>> }>
  /** What a person is a member of, oldest first. */
  readonly memberships: (
    accountId: AccountId
  ) => Promise<{ readonly memberships: ReadonlyArray<ReturnType<typeof membershipJson>> }>
  /** Blocks a person or lets them act again. Sessions end with a block. False if there is no such account. */
  readonly setStatus: (id: AccountId, status: Account["status"]) => Promise<boolean>
}

/** Cashiers at the provider. Live invoices are paid through them. */
export interface EmbeddedConnections {
  /** Adds a cashier; with a `session` of the provider they are logged in already. */
  readonly create: (
    organizationId: OrganizationId,
    request: { readonly name: string; readonly session?: string }
  ) => Promise<ConnectionObject>
  /** The cashiers of an organization, oldest first. */
  readonly list: (organizationId: OrganizationId) => Promise<{ readonly connections: ReadonlyArray<ConnectionObject> }>
  /** One cashier. */
  readonly get: (organizationId: OrganizationId, id: ConnectionId) => Promise<ConnectionObject>
  /** Step 1 of the login. Answers the id of the process, which lives for ten minutes. */
  readonly initLogin: (organizationId: OrganizationId, id: ConnectionId) => Promise<LoginObject>
  /** Has a code sent to the cashier's phone, 7XXXXXXXXXX. */
  readonly sendPhone: (
    organizationId: OrganizationId,
    id: ConnectionId,
    request: { readonly processId: LoginProcessId; readonly phone: string }
  ) => Promise<LoginObject>
  /** Ends the login with that code. */
  readonly verifyOtp: (
    organizationId: OrganizationId,
    id: ConnectionId,
    request: { readonly processId: LoginProcessId; readonly otp: string }
  ) => Promise<ConnectionObject>
  /** Nothing new is begun through them until they are enabled. */
  readonly disable: (organizationId: OrganizationId, id: ConnectionId) => Promise<ConnectionObject>
  /** They work again. */
  readonly enable: (organizationId: OrganizationId, id: ConnectionId) => Promise<ConnectionObject>
  /** From now on keys that are bound to none use this cashier. */
  readonly makeDefault: (organizationId: OrganizationId, id: ConnectionId) => Promise<ConnectionObject>
  /** Removes a cashier, if no key is bound to them. */
  readonly remove: (organizationId: OrganizationId, id: ConnectionId) => Promise<void>
}

/** Who has done what. */
export interface EmbeddedAudit {
  /** Records, newest first: of one organization if it is given, those before `before` (an id) if it is given. */
  readonly list: (
    query?: Partial<AuditQuery>
  ) => Promise<{ readonly records: ReadonlyArray<ReturnType<typeof auditJson>> }>
}

/** Organizations and their keys, as promises. */
export const organizationsOf = (engine: Engine["Service"], run: RunPromise): EmbeddedOrganizations => {
  const { organizations, profiles, modes, directory, settings } = engine
  const show = (organization: Organization, at: number) =>
    organizationJson(organization, at, settings.tariffs.catalogue)
  const shownProfile = (profile: Profile) => profileJson(profile, settings.baseUrl)
  const verbs = {
    ...organizations,
    create: (request: OrganizationDetails) => organizations.create(request),
    list: (request: DirectoryRequest = {}) =>
      Effect.flatMap(query(request, engine), (asked) =>
        Effect.map(directory.organizations(asked), (page) => ({ ...asked, ...page }))
      ),
    profile: profiles.get,
    change: (organizationId: OrganizationId, changes: ProfileDetails) =>
      profiles.change(organizationId, { ...changes }),
    setLogo: profiles.setLogo,
    removeLogo: profiles.removeLogo,
    switchMode: (organizationId: OrganizationId, mode: Mode) => modes.switchTo(organizationId, mode),
    createKey: (request: KeyDetails) => organizations.createKey(request),
    bindKey: (organizationId: OrganizationId, id: ApiKeyId, connectionId: ConnectionId | null) =>
      organizations.rebindKey(organizationId, id, connectionId)
  }
  return faceOf<EmbeddedOrganizations>()(run)(verbs, {
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

/** People, as promises. */
export const accountsOf = (engine: Engine["Service"], run: RunPromise): EmbeddedAccounts => {
  const { organizations, directory } = engine
  const verbs = {
    list: (request: DirectoryRequest = {}) =>
      Effect.flatMap(query(request, engine), (asked) =>
        Effect.map(directory.accounts(asked), (page) => ({ ...asked, ...page }))
      ),
    memberships: directory.parts,
    setStatus: organizations.setAccountStatus
  }
  return faceOf<EmbeddedAccounts>()(run)(verbs, {
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

/** Cashiers at the provider, as promises. */
export const connectionsOf = ({ connections }: Engine["Service"], run: RunPromise): EmbeddedConnections => {
  const verbs = {
    ...connections,
    create: (organizationId: OrganizationId, { name, session }: { readonly name: string; readonly session?: string }) =>
      connections.create(organizationId, { name, session: session === undefined ? undefined : sessionOf(session) }),
    sendPhone: (
      organizationId: OrganizationId,
      id: ConnectionId,
      request: { readonly processId: LoginProcessId; readonly phone: string }
    ) => connections.sendPhone(organizationId, id, request),
    verifyOtp: (
      organizationId: OrganizationId,
      id: ConnectionId,
      { processId, otp }: { readonly processId: LoginProcessId; readonly otp: string }
    ) => connections.verifyOtp(organizationId, id, { processId, otp: Redacted.make(otp) }),
    disable: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "Disabled" }),
    enable: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "Enabled" }),
    makeDefault: (organizationId: OrganizationId, id: ConnectionId) =>
      connections.change(organizationId, id, { _tag: "MadeDefault" })
  }
  return faceOf<EmbeddedConnections>()(run)(verbs, {
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

/** Who has done what, as promises. */
export const auditOf = ({ audit, settings }: Engine["Service"], run: RunPromise): EmbeddedAudit => {
  const verbs = {
    list: ({ organizationId = null, before = null, limit = settings.defaultPageSize }: Partial<AuditQuery> = {}) =>
      audit.list({ organizationId, before, limit: Math.min(Math.max(limit, 1), settings.maxPageSize) })
  }
  return faceOf<EmbeddedAudit>()(run)(verbs, { list: (records) => ({ records: records.map(auditJson) }) })
}
