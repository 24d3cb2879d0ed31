import type { Tx } from './scope.ts'

/** Something that happened, announced after its commit. */
export interface Event<Payload> {
  name: string
  /** Only carries the type. */
  payload?: Payload
}

export const event = <Payload>(name: string): Event<Payload> => ({ name })

export interface Emitted<Payload = unknown> {
  event: Event<Payload>
  payload: Payload
}

export interface Listener {
  event: Event<unknown>
  hear(tx: Tx, payload: never): Promise<void> | void
  /** Heard before the commit, in the same transaction. */
  within?: true
}

/**
 * What a feature does when another announces: a transaction of its own, after the commit of the news.
 * It may be lost with the process; what may not be lost is a job row in the first commit.
 */
export const when = <Payload>(
  event: Event<Payload>,
  hear: (tx: Tx, payload: Payload) => Promise<void> | void,
): Listener => ({
  event,
  hear,
})

/**
 * What a feature does inside the transaction of another that asks those above it with `tx.involve`: both commit,
 * or neither. For what hangs on a row that is about to go; anything that can wait belongs in `when`.
 */
export const within = <Payload>(
  event: Event<Payload>,
  hear: (tx: Tx, payload: Payload) => Promise<void> | void,
): Listener => ({ event, hear, within: true })

/** Which news wakes which part of the house, in whatever process it runs. */
export interface Nudge {
  event: Event<unknown>
  topic(payload: never): string
  /** What goes along, when the topic does not say it all. */
  payload?(payload: never): unknown
}

export const nudge = <Payload>(
  event: Event<Payload>,
  topic: (payload: Payload) => string,
  payload?: (payload: Payload) => unknown,
): Nudge => ({ event, topic, ...(payload && { payload }) })
