import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { Logger } from 'pino'
import type { Namespace } from 'socket.io'
import { type RedisClient, redisClient, watchSilence } from '../../outbound/redis.client.ts'
import { RECOVERY_MS } from './recovery.ts'

/** A Redis that does not answer for this long (ms) counts as down: no push waits longer. */
const ANSWER_MS = 2_000
/** How soon (ms) after its return screens are notified that they may have missed something. */
const LOOK_MS = 1_000
const READING_MS = 10_000
/**
 * The stream keeps what a screen may have missed that reconnects in time: by age, and no more entries than this, two
 * minutes at a thousand a second.
 */
const MOST_KEPT = 120_000
const TRIM_MS = 10_000

/** Two installations may share a Redis, and number their companies alike: the names keep them apart. */
const namesOf = (installation: string) => ({
  streamName: `balcao:${installation}:live`,
  channelPrefix: `balcao:${installation}:live`,
  sessionKeyPrefix: `balcao:${installation}:session:`,
})

type Encode = (this: unknown, message: unknown) => Record<string, string>

/**
 * Carries pushes between processes. While Redis is down the screens of this process receive what happens here, and those
 * of other processes nothing; so when it is back, `publishGap` is called for all of them.
 *
 * Wraps five methods of the adapter of @socket.io/redis-streams-adapter 0.3.1, which does not report what it could not
 * publish or read. Instead of: the adapter alone, with which screens missed events without knowing. It gains no speed;
 * `redis.test.ts` fails when the adapter works another way.
 */
export async function openRedis(
  url: string,
  installation: string,
  log: Logger,
  { keptMs = RECOVERY_MS, most = MOST_KEPT } = {},
) {
  const state: State = { gap: false, reading: false }
  const redis = await connect(url, log, state)
  const names = namesOf(installation)
  const trim = async () => {
    // entries are named by the clock of Redis
    const [seconds] = await redis.time()
    await redis.xTrim(names.streamName, 'MINID', Number(seconds) * 1_000 - keptMs)
  }
  const trimming = setInterval(() => {
    if (redis.isReady) trim().catch(() => {})
  }, TRIM_MS)
  trimming.unref()
  const stopWatching = watchSilence(redis)
  let looking: NodeJS.Timeout | undefined
  return {
    adapterOf: watchedAdapter(redis, createAdapter(redis, { ...names, maxLen: most }), log, state),
    /** Resolves when this process reads the stream: what `probe` sends has to come back. Gaps are reported to `publishGap`. */
    async begin(probe: () => void, publishGap: () => void) {
      looking = setInterval(() => {
        if (!state.gap || !redis.isReady) return
        state.gap = false
        publishGap()
      }, LOOK_MS)
      looking.unref()
      for (const end = performance.now() + READING_MS; !state.reading && performance.now() < end; ) {
        probe()
        await new Promise(done => setTimeout(done, 20))
      }
    },
    async close() {
      clearInterval(looking)
      clearInterval(trimming)
      stopWatching()
      if (redis.isReady) await redis.close()
      else if (redis.isOpen) redis.destroy()
    },
  }
}

interface State {
  /** Something was not published, or not read: screens may have missed it. */
  gap: boolean
  /** An entry of the stream was read. */
  reading: boolean
}

async function connect(url: string, log: Logger, state: State) {
  const redis = redisClient(url)
  redis.on('error', error => {
    state.gap = true
    // the outage is logged once, by the signals (signals-redis.ts)
    log.debug({ err: error }, 'Redis does not answer: pushes stay within this process')
  })
  await redis.connect()
  // the adapter ignores the promise; a session that was not kept begins anew
  const set = redis.set.bind(redis)
  Object.assign(redis, { set: (...given: Parameters<typeof set>) => set(...given).catch(() => null) })
  return redis
}

/** The adapter with the five methods wrapped; called with `new`, as classes of adapters are. */
function watchedAdapter(
  redis: RedisClient,
  make: ReturnType<typeof createAdapter>,
  log: Logger,
  state: State,
) {
  const missed = entryCounter(log, state)
  let sent = 0
  return function adapterOf(lobby: Namespace) {
    const adapter = make(lobby)
    const { doPublish, onRawMessage, restoreSession, persistSession } = adapter
    const encode: Encode = Reflect.get(adapter, 'encode')
    return Object.assign(adapter, {
      async doPublish(message: Parameters<typeof doPublish>[0]) {
        try {
          return await inTime(redis, () => doPublish.call(adapter, message))
        } catch (error) {
          state.gap = true
          throw error
        }
      },
      encode: (message: unknown) => ({ ...encode.call(adapter, message), at: String(++sent) }),
      onRawMessage(...given: Parameters<typeof onRawMessage>) {
        state.reading = true
        missed(given[0])
        return onRawMessage.apply(adapter, given)
      },
      restoreSession: (...given: Parameters<typeof restoreSession>) =>
        inTime(redis, () => restoreSession.apply(adapter, given)),
      persistSession(...given: Parameters<typeof persistSession>) {
        if (redis.isReady) persistSession.apply(adapter, given)
      },
    })
  }
}

/** Entries of each process are numbered: a number that is missing was trimmed from the stream before it was read here. */
function entryCounter(log: Logger, state: State) {
  const last = new Map<string, number>()
  return ({ uid, at }: { uid?: string; at?: string }) => {
    if (!uid || !at) return
    const before = last.get(uid)
    last.set(uid, Number(at))
    if (before === undefined || Number(at) <= before + 1) return
    state.gap = true
    log.warn({ missed: Number(at) - before - 1 }, 'pushes were trimmed before they were read here')
  }
}

function inTime<T>(redis: RedisClient, ask: () => Promise<T>): Promise<T> {
  if (!redis.isReady) return Promise.reject(new Error('Redis is away'))
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('Redis does not answer')), ANSWER_MS)
  return Promise.race([ask(), promise]).finally(() => clearTimeout(timer))
}
