/** What the queue of `pg-boss` holds, and how its workers are set up: known to who fills it and to who empties it. */

/** Name of the queue. */
export const queue = "deliveries"

/** How workers take their jobs. */
export interface Setup {
  readonly name: string
  /** Workers of the process, each with a batch of its own. */
  readonly workers: number
  /** Jobs that a worker fetches, sends, logs and completes together, and waits for together. */
  readonly batchSize: number
}

/**
 * One by one: as with ours, each delivery is settled when its own receiver has answered, and a slow receiver holds up
 * one worker. 16 were quicker here than 64.
 */
export const oneByOne: Setup = { name: "one by one", workers: 16, batchSize: 1 }

/**
 * In batches: quicker while all receivers are, but a slow one holds up the batches that its jobs are in, so that four
 * of them stop all deliveries. Reported for comparison.
 */
export const inBatches: Setup = { name: "in batches", workers: 4, batchSize: 32 }

/** A delivery: the envelope is made when the job is, all but its time. */
export interface DeliveryJob {
  readonly deliveryId: string
  readonly endpointId: string
  readonly event: string
  /** JSON text of the envelope without `sentAt`. */
  readonly body: string
}
