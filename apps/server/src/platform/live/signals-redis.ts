import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { whyItFailed } from '../observe/log-errors.ts'
import { type RedisClient, redisClient, watchSilence } from '../outbound/redis.client.ts'
import type { Deliver, SignalCarrier } from './signals.ts'

interface Envelope {
  from: string
  topic: string
  payload?: unknown
  trace?: string | undefined
}

/** Signals to and from other processes of this installation; what comes in is given to `deliver`. */
export function overRedis(
  url: string,
  installation: string,
  log: Logger,
  deliver: Deliver,
  silentMs?: number,
): SignalCarrier {
  const me = randomUUID()
  const channel = channelOf(url, installation)
  // What cannot be sent now is dropped: a late signal is useless.
  const speaker = redisClient(url, { disableOfflineQueue: true, silentMs })
  const hearer = redisClient(url, { silentMs })
  const clients = [speaker, hearer]
  watch(clients, log, new URL(url).host)
  const stopWatching = watchSilence(speaker, silentMs)
  for (const client of clients) client.connect().catch(() => {}) // watch() has logged it
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
      stopWatching()
      for (const client of clients) if (client.isOpen) client.destroy()
    },
  }
}

/** Redis' numbered databases share their channels; houses that share a server do not share signals. */
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
function watch(clients: RedisClient[], log: Logger, server: string) {
  let down = false
  for (const client of clients) {
    client.on('error', error => {
      if (!down)
        log.warn(
          { server, why: whyItFailed(error) },
          'Redis does not answer: pushes and signals stay within this process',
        )
      down = true
    })
    client.on('ready', () => {
      if (down && clients.every(one => one.isReady)) {
        log.info({ server }, 'Redis answers again')
        down = false
      }
    })
  }
}
