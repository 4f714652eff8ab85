/** Telegram, played by a server on this machine: people write to the bot, and it can be away. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as TelegramMessenger from "@tolem/adapter-telegram/TelegramMessenger"
import { Messenger } from "@tolem/core/messenger/Messenger"
import { Effect, ManagedRuntime, Redacted } from "effect"

const token = "123456:AAAABBBBCCCCDDDDEEEEFFFFGGGG"

/** How it does: it answers, a machine before it answers in its place, or no one does. */
export type Health = "up" | "bad gateway" | "silent"

/** A message of the bot. */
export interface Told {
  readonly chatId: number
  readonly text: string
}

interface Update {
  readonly update_id: number
  readonly message: object
}

/** Starts it. The caller stops it. */
export const playTelegram = async () => {
  const updates: Array<Update> = []
  const told: Array<Told> = []
  /** Questions for messages that wait until a person writes. */
  const held: Array<{ readonly by: string; readonly offset: number; readonly response: ServerResponse }> = []
  const seen = { mostHeld: 0, offset: 0 }
  let health: Health = "up"
  let nextId = 500

  const reply = (response: ServerResponse, result: unknown) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ ok: true, result }))
  }
  const behind = (offset: number) => updates.filter(({ update_id }) => update_id >= offset)
  const answerHeld = () => {
    for (const question of held.splice(0)) {
      const given = behind(question.offset)
      if (given.length > 0) reply(question.response, given)
      else held.push(question)
    }
  }
  const ask = (by: string, offset: number, response: ServerResponse) => {
    seen.offset = offset
    // As Telegram does: what was asked behind is confirmed, and given to no one again.
    updates.splice(0, updates.length, ...behind(offset))
    const question = { by, offset, response }
    held.push(question)
    seen.mostHeld = Math.max(seen.mostHeld, held.length)
    response.once("close", () => {
      const at = held.indexOf(question)
      if (at !== -1) held.splice(at, 1)
    })
    answerHeld()
  }
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part)
    const body = JSON.parse(Buffer.concat(parts).toString())
    const [, by = "", bot, method] = request.url?.split("/") ?? []
    if (bot !== `bot${token}`) return response.writeHead(404).end()
    if (health !== "up") {
      if (health === "silent") return request.socket.destroy()
      return response.writeHead(502, { "content-type": "text/html" }).end("<html>Bad Gateway</html>")
    }
    if (method === "getMe") return reply(response, { id: 123456, is_bot: true, username: "tolem_bot" })
    if (method === "getUpdates") return ask(by, body.offset, response)
    if (method !== "sendMessage") return response.writeHead(404).end()
    told.push({ chatId: body.chat_id, text: body.text })
    reply(response, { message_id: told.length })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = ManagedRuntime.make(NodeHttpClient.layerUndici)
  const messengerOf = (server: string) => {
    const layer = TelegramMessenger.layer({ token: Redacted.make(token), baseUrl: `${baseUrl}/${server}` })
    return client.runPromise(Effect.provide(Messenger.use(Effect.succeed), layer))
  }

  return {
    token,
    /** A messenger that talks to it over HTTP, of a server with this name. */
    messengerOf,
    told,
    /** How many questions it had at once at most, and from where the last one was. */
    seen,
    /** Whose questions wait for people to write. */
    heldBy: () => held.map(({ by }) => by),
    /** A person, or a group, writes to the bot. */
    write: (chatId: number, text: string, type = "private") => {
      updates.push({ update_id: nextId++, message: { chat: { id: chatId, type }, text } })
      answerHeld()
      return nextId
    },
    become: (next: Health) => {
      health = next
      if (next !== "up") for (const { response } of held.splice(0)) response.destroy()
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await client.dispose()
    }
  }
}

/** It, running. */
export type PlayedTelegram = Awaited<ReturnType<typeof playTelegram>>
