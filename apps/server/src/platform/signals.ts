import { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import type { Config } from './config.ts'

/** Nudges between parts of the house, across processes where there are several. They may be lost: listeners also look by themselves. */
export interface Signals {
  notify(topic: string, payload?: unknown): void
  /** Answers a function that stops listening. */
  listen(topic: string, heard: (payload: unknown) => void): () => void
  close(): Promise<void>
}

/** `installation` keeps apart those that share a Redis. */
export async function createSignals(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  installation: string,
  log: Logger,
): Promise<Signals> {
  const channel = `balcao:${installation}:signals`
  const local = new EventEmitter().setMaxListeners(0)
  const listen: Signals['listen'] = (topic, heard) => {
    local.on(topic, heard)
    return () => local.off(topic, heard)
  }
  if (!redisUrl)
    return { listen, notify: (topic, payload) => void local.emit(topic, payload), close: async () => {} }

  const speaker = createClient({ url: redisUrl, disableOfflineQueue: true })
  const hearer = speaker.duplicate({ disableOfflineQueue: false })
  for (const client of [speaker, hearer]) client.on('error', error => log.warn({ err: error }, 'signals'))
  await Promise.all([speaker.connect(), hearer.connect()])
  await hearer.subscribe(channel, message => {
    const { topic, payload } = JSON.parse(message) as { topic: string; payload: unknown }
    local.emit(topic, payload)
  })
  return {
    listen,
    notify: (topic, payload) =>
      void speaker
        .publish(channel, JSON.stringify({ topic, payload }))
        .catch(() => local.emit(topic, payload)),
    close: async () => {
      for (const client of [speaker, hearer]) client.destroy()
    },
  }
}
