import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import type { Config } from './config.ts'
import { traced, traceNow } from './trace.ts'

/**
 * Nudges between parts of the house: at once within this process, and over Redis to the others. Those to other
 * processes may be lost, so whoever listens also looks by itself now and then.
 */
export interface Signals {
  /** `payload` travels as JSON. */
  notify(topic: string, payload?: unknown): void
  /**
   * Answers a function that stops listening. What `heard` throws is logged and disturbs nobody. It is outside of every
   * trace, since it may wake what goes on for long: it is told the trace of who nudged.
   */
  listen(topic: string, heard: (payload: unknown, trace: string | undefined) => void): () => void
  /** Whether the others are heard; null for a process that needs no Redis. */
  redis(): 'up' | 'down' | null
  close(): Promise<void>
}

/** With REDIS_URL connects in the background: nothing waits for Redis, and nothing fails without it. */
export function createSignals(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  installation: string,
  log: Logger,
): Signals {
  const local = new EventEmitter().setMaxListeners(0)
  const others = redisUrl
    ? overRedis(redisUrl, channelOf(redisUrl, installation), log, (topic, payload, trace) =>
        local.emit(topicName(topic), payload, trace),
      )
    : null
  return {
    notify(topic, payload) {
      const trace = traceNow()
      log.debug({ topic }, 'nudged')
      local.emit(topicName(topic), payload, trace)
      others?.publish(topic, payload, trace)
    },
    listen(topic, heard) {
      const guarded = (payload: unknown, trace: string | undefined) =>
        traced(
          undefined,
          () =>
            void new Promise(done => done(heard(payload, trace))).catch(error =>
              log.error({ err: error, topic, trace }, 'a listener failed'),
            ),
        )
      local.on(topicName(topic), guarded)
      return () => local.off(topicName(topic), guarded)
    },
    redis: () => others && (others.isReady() ? 'up' : 'down'),
    close: async () => others?.close(),
  }
}

/** EventEmitter throws on an `error` that nobody hears. */
const topicName = (topic: string) => `topic ${topic}`

interface Envelope {
  from: string
  topic: string
  payload?: unknown
  trace?: string | undefined
}

const newClient = (url: string, disableOfflineQueue: boolean) => createClient({ url, disableOfflineQueue })
type Client = ReturnType<typeof newClient>

function overRedis(
  url: string,
  channel: string,
  log: Logger,
  deliver: (topic: string, payload: unknown, trace: string | undefined) => void,
) {
  const me = randomUUID()
  // What cannot be said now is not kept: a nudge that comes late helps nobody.
  const speaker = newClient(url, true)
  const hearer = newClient(url, false)
  const clients = [speaker, hearer]
  watch(clients, log)
  for (const client of clients) client.connect().catch(() => {}) // watch() has told
  hearer
    .subscribe(channel, text => {
      const envelope = read(text)
      if (envelope && envelope.from !== me) deliver(envelope.topic, envelope.payload, envelope.trace)
    })
    .catch(() => {}) // closed before it was connected
  return {
    publish(topic: string, payload: unknown, trace: string | undefined) {
      const envelope: Envelope = { from: me, topic, payload, trace }
      if (speaker.isReady) speaker.publish(channel, JSON.stringify(envelope)).catch(() => {})
    },
    isReady: () => clients.every(client => client.isReady),
    close() {
      for (const client of clients) if (client.isOpen) client.destroy()
    },
  }
}

/** Redis' numbered databases share their channels; houses that share a server do not share nudges. */
const channelOf = (url: string, installation: string) =>
  `balcao:${installation}:${new URL(url).pathname.slice(1) || 0}:signals`

/** Others may write to the channel too; what is thrown here would end the process. */
function read(text: string): Envelope | null {
  try {
    const { from, topic, payload, trace } = JSON.parse(text) as Envelope
    return { from, topic, payload, trace }
  } catch {
    return null
  }
}

/** An outage is logged once, and so is its end: clients try again every few hundred milliseconds. */
function watch(clients: Client[], log: Logger) {
  let down = false
  for (const client of clients) {
    client.on('error', error => {
      if (!down) log.warn({ err: error }, 'Redis does not answer: nudges stay within this process')
      down = true
    })
    client.on('ready', () => {
      if (down && clients.every(one => one.isReady)) {
        log.info('Redis answers again')
        down = false
      }
    })
  }
}
