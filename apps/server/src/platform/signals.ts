import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import type { Config } from './config.ts'

/**
 * Nudges between parts of the house: at once within this process, and over Redis to the others. Those to other
 * processes may be lost, so whoever listens also looks by itself now and then.
 */
export interface Signals {
  /** `payload` travels as JSON. */
  notify(topic: string, payload?: unknown): void
  /** Answers a function that stops listening. What `heard` throws is logged and disturbs nobody. */
  listen(topic: string, heard: (payload: unknown) => void): () => void
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
    ? overRedis(redisUrl, channelOf(redisUrl, installation), log, (topic, payload) =>
        local.emit(topicName(topic), payload),
      )
    : null
  return {
    notify(topic, payload) {
      local.emit(topicName(topic), payload)
      others?.publish(topic, payload)
    },
    listen(topic, heard) {
      const guarded = (payload: unknown) =>
        void new Promise(done => done(heard(payload))).catch(error =>
          log.error({ err: error, topic }, 'a listener failed'),
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
}

const newClient = (url: string, disableOfflineQueue: boolean) => createClient({ url, disableOfflineQueue })
type Client = ReturnType<typeof newClient>

function overRedis(
  url: string,
  channel: string,
  log: Logger,
  deliver: (topic: string, payload: unknown) => void,
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
      if (envelope && envelope.from !== me) deliver(envelope.topic, envelope.payload)
    })
    .catch(() => {}) // closed before it was connected
  return {
    publish(topic: string, payload: unknown) {
      const envelope: Envelope = { from: me, topic, payload }
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
    const { from, topic, payload } = JSON.parse(text) as Envelope
    return { from, topic, payload }
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
