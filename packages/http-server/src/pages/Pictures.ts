/** `/pictures/{name}`: logos, and pictures of payment links. A name always shows the same picture. */
import { visitorOf } from "@tolem/core/access/Visitors"
import { Engine } from "@tolem/core/engine/Engine"
import { isPictureName } from "@tolem/core/picture/PictureName"
import { Effect, type Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { refuse, rejected, unkept } from "../http/Responses.ts"
import * as PageAnswers from "./PageAnswers.ts"

/** The route. Visitors are counted by each server alone: a browser that has a picture does not ask again. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { pictures, visitors, settings } = yield* Engine
    const show = Effect.gen(function* () {
      const { name = "" } = yield* HttpRouter.params
      const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
      const visitor = visitorOf(remoteAddress, settings.visitors.statusesPerMinute, settings)
      const { allowed, retryAfterSeconds } = yield* visitors.countHere({ kind: "picture", ...visitor })
      if (!allowed) return refuse("request_rate_limited", { ...unkept, "retry-after": String(retryAfterSeconds) })
      if (!isPictureName(name)) return refuse("route_not_found", unkept)
      const found = yield* pictures.find(name)
      return Option.isSome(found) ? PageAnswers.picture(found.value) : refuse("route_not_found", unkept)
    })
    yield* router.add(
      "GET",
      "/pictures/:name",
      Effect.catch(show, (error) => Effect.map(rejected(error), HttpServerResponse.setHeaders(unkept)))
    )
  })
)
