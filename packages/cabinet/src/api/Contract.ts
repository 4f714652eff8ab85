/** The calls of the cabinet, as the contract of `/panel` has them. Types alone: none of it is in a browser. */
import type { PanelApi } from "@tolem/api/PanelApi"
import type { HttpApi, HttpApiGroup } from "effect/http-api"

type Groups = typeof PanelApi extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type Endpoint = HttpApiGroup.Endpoints<Groups>

type Name<E> = E extends { readonly method: infer M extends string; readonly path: infer P extends string }
  ? `${M} ${P}`
  : never

/** A call: its method and its path, as `GET /panel/session`. */
export type Call = Name<Endpoint>

type Of<C extends Call> = Endpoint extends infer E
  ? E extends Endpoint
    ? Name<E> extends C
      ? E
      : never
    : never
  : never

// What the contract's schemas decode to is what the JSON holds: none of them turns a text into anything else.
type Json<S> = [S] extends [never] ? never : S extends { readonly Type: infer T } ? T : never

/** What a call answers. */
export type Answer<C extends Call> = Json<Of<C>["~Success"]>

type Part<Name extends string, Value> = [Value] extends [never] ? unknown : { readonly [N in Name]: Value }

/** What a call is given: what its path, its query and its body name. */
export type Request<C extends Call> = Part<"params", Json<Of<C>["~Params"]>> &
  Part<"query", Json<Of<C>["~Query"]>> &
  Part<"body", Json<Of<C>["~Payload"]>>
