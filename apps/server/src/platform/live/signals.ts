import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { traced, traceNow } from '../observe/trace.ts'
import type { Exchange } from './exchange.ts'
import { overExchange } from './signals-exchange.ts'

/**
 * Signals between parts of the product: at once within this process, and over Redis or the database to the others. Those to other
 * processes may be lost, so whoever listens also looks by itself now and then.
 */
export interface Signals {
  /** `payload` travels as JSON. */
  notify(topic: string, payload?: unknown): void
  /**
   * Answers a function that stops listening. What `handle` throws is logged and reaches no other listener. It runs outside of every
   * trace, since it may wake long-lived work; it receives the sender's trace.
   */
  listen(topic: string, handle: (payload: unknown, trace: string | undefined) => void): () => void
  /** Whether there may be other processes. */
  isShared: boolean
  /** Whether Redis is reachable; null for a process that needs none. */
  redis(): 'up' | 'down' | null
  close(): Promise<void>
}

export type Deliver = (topic: string, payload: unknown, trace: string | undefined) => void

/** Carries signals to other processes. */
export interface SignalCarrier {
  publish: Deliver
  isReady(): boolean
  close(): Promise<void> | void
}

/**
 * With REDIS_URL connects in the background: nothing waits for Redis, and nothing fails without it. Without, the exchange carries
 * signals, where there is one.
 */
export async function createSignals(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  installation: string,
  log: Logger,
  exchange: Exchange | null = null,
): Promise<Signals> {
  const local = new EventEmitter().setMaxListeners(0)
  const deliver: Deliver = (topic, payload, trace) => void local.emit(topicName(topic), payload, trace)
  const redis = redisUrl
    ? (await import('./signals-redis.ts')).overRedis(redisUrl, installation, log, deliver)
    : null
  const others: SignalCarrier | null = redis ?? (exchange && overExchange(exchange, deliver))
  return {
    notify(topic, payload) {
      const trace = traceNow()
      log.debug({ topic }, 'signalled')
      local.emit(topicName(topic), payload, trace)
      others?.publish(topic, payload, trace)
    },
    listen(topic, handle) {
      const guarded = (payload: unknown, trace: string | undefined) =>
        traced(
          undefined,
          () =>
            void new Promise(done => done(handle(payload, trace))).catch(error =>
              log.error({ err: error, topic, trace }, 'a listener failed'),
            ),
        )
      local.on(topicName(topic), guarded)
      return () => local.off(topicName(topic), guarded)
    },
    isShared: others !== null,
    redis: () => redis && (redis.isReady() ? 'up' : 'down'),
    close: async () => void (await others?.close()),
  }
}

/** EventEmitter throws on an `error` without a listener. */
const topicName = (topic: string) => `topic ${topic}`
