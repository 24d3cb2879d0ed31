import type { Logger } from 'pino'
import type { Signals } from './live/signals.ts'
import type { HasMemory } from './memory.ts'
import type { Scopes, Tx } from './scope.ts'

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

/** `payload` is that of `event`: `within` ties the two. */
export interface Listener {
  event: Event<unknown>
  react(tx: Tx, payload: unknown): Promise<void> | void
}

/**
 * What a feature does inside the transaction of a lower one that calls `tx.involve`: both commit, or neither. What it
 * emits is announced with the rest; slow work is a job row.
 */
export const within = <Payload>(
  event: Event<Payload>,
  react: (tx: Tx, payload: Payload) => Promise<void> | void,
): Listener => ({ event, react })

export interface RecorderTools extends HasMemory {
  scopes: Scopes
  signals: Signals
  log: Logger
  stopping(): boolean
}

/**
 * Writes what a transaction emitted, at its end and in its commit: all events at once, in their order. What is sent to
 * other systems later starts from that row.
 */
export type Recorder = (tx: Tx, emitted: Emitted[], tools: RecorderTools) => Promise<void>

/** Which event wakes which part of the product, in whatever process it runs. */
export interface Nudge {
  event: Event<unknown>
  topic(payload: unknown): string
  /** What the signal carries beside its topic. */
  payload?(payload: unknown): unknown
}

export const nudge = <Payload>(
  event: Event<Payload>,
  topic: (payload: Payload) => string,
  payload?: (payload: Payload) => unknown,
): Nudge => ({ event, topic, ...(payload && { payload }) })
