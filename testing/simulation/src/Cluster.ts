/** The servers of a simulation and what they send to. */
import { Application } from "./Application.ts"
import { Post } from "./notice/Post.ts"
import { Receivers } from "./Receivers.ts"
import { Server } from "./Server.ts"
import type { World } from "./World.ts"

/** What there is beside the servers. */
interface Surroundings {
  readonly application: boolean
  readonly notices: boolean
}

/** The servers of a simulation. */
export class Cluster {
  readonly world: World
  readonly receivers: Receivers
  /** The one that the engine is embedded in, if any is. */
  readonly application: Application | null
  /** What carries messages to members, if there are any. */
  readonly post: Post | null
  readonly servers: ReadonlyArray<Server>

  constructor(world: World, count: number, { application: isEmbedded, notices }: Surroundings) {
    this.world = world
    this.receivers = new Receivers(world)
    this.application = isEmbedded ? new Application(world) : null
    this.post = notices ? new Post(world) : null
    const others = { receivers: this.receivers, application: this.application, post: this.post }
    this.servers = Array.from({ length: count }, (_, index) => new Server(world, others, `server ${index + 1}`))
  }

  /** A server that takes calls, if any does. */
  anyServer(): Server | undefined {
    const up = this.servers.filter((server) => server.isUp())
    return up.length === 0 ? undefined : this.world.simulation.pick(up)
  }
}
