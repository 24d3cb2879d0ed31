import type { Platform } from './app.ts'
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
}

/**
 * What a feature does inside the transaction of a lower one that asks those above it with `tx.involve`: both commit,
 * or neither. What it emits is announced with the rest; what is slow is a job row.
 */
export const within = <Payload>(
  event: Event<Payload>,
  hear: (tx: Tx, payload: Payload) => Promise<void> | void,
): Listener => ({ event, hear })

/**
 * Writes down what a transaction announces, at its end and in its commit: all the news at once, in the order in which
 * they happened. What is told later leaves by that row.
 */
export type Recorder = (tx: Tx, news: Emitted[], platform: Platform) => Promise<void>

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
