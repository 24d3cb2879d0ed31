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

export const event = <Payload extends object>(name: string): Event<Payload> => ({ name })

/** The payload of an event, by the name of the event. */
export type PayloadOf<Of extends Event<unknown>> = NonNullable<Of['payload']>

/** An event with its payload: `emit` and `involve` tie the two. */
export interface Emitted<Payload = unknown> {
  event: Event<Payload>
  payload: Payload
}

/** The payload of what was emitted, where it is this event; null otherwise. */
export const payloadOf = <Payload>(event: Event<Payload>, emitted: Emitted): Payload | null =>
  isOf(event, emitted) ? emitted.payload : null

const isOf = <Payload>(event: Event<Payload>, emitted: Emitted): emitted is Emitted<Payload> =>
  emitted.event === event

/** What follows one event: `handle` gets its payload, and is not called for any other. */
export const following =
  <Payload, Given extends unknown[], Result>(
    event: Event<Payload>,
    handle: (payload: Payload, ...given: Given) => Result,
  ) =>
  (emitted: Emitted, ...given: Given): Result | undefined =>
    isOf(event, emitted) ? handle(emitted.payload, ...given) : undefined

export interface Within {
  kind: 'within'
  event: Event<unknown>
  /** One statement; those of all listeners of the event are sent together, before the first reacts. */
  ask?: (emitted: Emitted, tx: Tx) => PromiseLike<unknown> | undefined
  react(emitted: Emitted, tx: Tx, tools: WithinTools, found: unknown): Promise<void> | void | undefined
}

export interface WithinTools extends HasMemory {
  /** The installation's own address; empty where it is not configured. */
  backendUrl: string
  scopes: Scopes
  signals: Signals
  log: Logger
  stopping(): boolean
}

/**
 * What a feature does inside the transaction of a lower one that calls `tx.involve`: both commit, or neither. What it
 * emits is announced with the rest; slow work is a job row.
 */
export const within = <Payload>(
  event: Event<Payload>,
  react: (tx: Tx, payload: Payload, tools: WithinTools) => Promise<void> | void,
): Within => ({
  kind: 'within',
  event,
  react: following(event, (payload, tx: Tx, tools: WithinTools) => react(tx, payload, tools)),
})

/** `within` in two halves: `ask` finds, by one statement, what `react` has to do. Most often that is nothing. */
export const withinAsking = <Payload, Found>(
  event: Event<Payload>,
  ask: (tx: Tx, payload: Payload) => PromiseLike<Found>,
  react: (tx: Tx, found: Found) => Promise<void>,
): Within => ({
  kind: 'within',
  event,
  ask: following(event, (payload, tx: Tx) => ask(tx, payload)),
  react: (_emitted, tx, _tools, found) => react(tx, found as Found),
})

/**
 * Involved by the platform at the end of each transaction that emitted something, with all of it in its order. What is
 * sent to other systems later starts from a row that is written here.
 */
export const transactionEnding = event<{ emitted: Emitted[] }>('transaction.ending')

export interface Signal {
  kind: 'signal'
  event: Event<unknown>
  send(emitted: Emitted, signals: Signals): void
}

/** After the commit of this event whoever listens to the topic looks, in whatever process it runs. */
export const signal = <Payload>(
  event: Event<Payload>,
  topic: (payload: Payload) => string,
  /** What the signal carries beside its topic. */
  carried?: (payload: Payload) => unknown,
): Signal => ({
  kind: 'signal',
  event,
  send: following(event, (payload, signals: Signals) => signals.notify(topic(payload), carried?.(payload))),
})
