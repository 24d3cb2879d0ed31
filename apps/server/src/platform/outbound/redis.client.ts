import { createClient } from 'redis'
import { notLater, TooLate } from './flow.ts'

/** A Redis that is silent for so long (ms) counts as down. The adapter of Socket.IO waits 5 s for entries of its stream. */
const SILENT_MS = 10_000
const CONNECT_MS = 5_000

/**
 * A client that leaves a silent server and comes back to it: it pings, and ends a connection without traffic. By itself this
 * library waits for ever, and does not connect again after its own time-out. What is sent all the time is traffic too:
 * such a client also needs `watchSilence`.
 */
export const redisClient = (
  url: string,
  given: { disableOfflineQueue?: boolean; silentMs?: number } = {},
) => {
  const { disableOfflineQueue = false, silentMs = SILENT_MS } = given
  return createClient({
    url,
    disableOfflineQueue,
    pingInterval: silentMs / 3,
    socket: {
      connectTimeout: Math.min(CONNECT_MS, silentMs),
      socketTimeout: silentMs,
      reconnectStrategy: retries => Math.min(2 ** retries * 50, 2_000) + Math.random() * 200,
    },
  })
}

export type RedisClient = ReturnType<typeof redisClient>

/** Connects anew when a ping is not answered in time, whatever else is sent. Answers a function that stops it. */
export function watchSilence(client: RedisClient, silentMs = SILENT_MS): () => void {
  let isAsking = false
  const timer = setInterval(async () => {
    if (isAsking || !client.isReady) return
    isAsking = true
    const error = await notLater(silentMs, client.ping(), 'no answer in time').then(
      () => null,
      (failure: unknown) => failure,
    )
    isAsking = false
    if (!(error instanceof TooLate) || !client.isOpen) return
    client.emit('error', error)
    client.destroy()
    client.connect().catch(() => {}) // closed meanwhile
  }, silentMs / 3)
  timer.unref()
  return () => clearInterval(timer)
}

/** One that asks once, and does not come back. */
export const redisClientOnce = (url: string) =>
  createClient({
    url,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  })
