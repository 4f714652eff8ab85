/** What the queue of `pg-boss` holds, and how its workers are set up: known to who fills it and to who empties it. */

/** Name of the queue. */
export const queue = "deliveries"

/** Workers of the process, each with a batch of its own. Of 2, 4 and 8 by 16, 32 and 64 the quickest here. */
export const workers = 4

/** Jobs that a worker fetches, sends and completes together. */
export const batchSize = 32

/** A delivery: the envelope is made when the job is, all but its time. */
export interface DeliveryJob {
  readonly deliveryId: string
  readonly endpointId: string
  readonly event: string
  /** JSON text of the envelope without `sentAt`. */
  readonly body: string
}
