import { createAdapter } from '@socket.io/redis-streams-adapter'
import type { Logger } from 'pino'
import { createClient } from 'redis'
import type { Namespace } from 'socket.io'

/** A Redis that does not answer for this long is taken to be away: what is told waits for nobody longer. */
const ANSWER_MS = 2_000
/** How soon after its return screens are told that they may have missed something. */
const LOOK_MS = 1_000
const READING_MS = 10_000

/** Two installations may share a Redis, and number their companies alike: neither may hear the other. */
const namesOf = (installation: string) => ({
  streamName: `balcao:${installation}:live`,
  channelPrefix: `balcao:${installation}:live`,
  sessionKeyPrefix: `balcao:${installation}:session:`,
})

/**
 * Carries news between processes. While Redis is away the screens of this process hear of it at once what happens
 * here, and those of others nothing. So when it is back, `tellGap` is called until it is told to all of them.
 *
 * Wraps four methods of the adapter of @socket.io/redis-streams-adapter 0.3.1, which says nothing of what it could not
 * publish or read. Instead of: the adapter alone, with which screens missed events without knowing. It gains no speed;
 * `redis.test.ts` fails when the adapter works another way.
 */
export async function openRedis(url: string, installation: string, log: Logger) {
  const redis = createClient({ url })
  let gap = false
  let down = false
  redis.on('error', error => {
    gap = true
    if (!down) log.warn({ err: error }, 'Redis does not answer: pushes stay within this process')
    down = true
  })
  redis.on('ready', () => {
    if (down) log.info('Redis answers again')
    down = false
  })
  await redis.connect()
  // the adapter does not look what becomes of it; a session that was not kept begins anew
  const set = redis.set.bind(redis)
  Object.assign(redis, { set: (...given: Parameters<typeof set>) => set(...given).catch(() => null) })

  const make = createAdapter(redis, namesOf(installation))
  let reading = false

  /** Called with `new`, as classes of adapters are. */
  function adapterOf(lobby: Namespace) {
    const adapter = make(lobby)
    const { doPublish, onRawMessage, restoreSession, persistSession } = adapter
    return Object.assign(adapter, {
      async doPublish(message: Parameters<typeof doPublish>[0]) {
        try {
          return await inTime(() => doPublish.call(adapter, message))
        } catch (error) {
          gap = true
          throw error
        }
      },
      onRawMessage(...given: Parameters<typeof onRawMessage>) {
        reading = true
        return onRawMessage.apply(adapter, given)
      },
      restoreSession: (...given: Parameters<typeof restoreSession>) =>
        inTime(() => restoreSession.apply(adapter, given)),
      persistSession(...given: Parameters<typeof persistSession>) {
        if (redis.isReady) persistSession.apply(adapter, given)
      },
    })
  }

  function inTime<T>(ask: () => Promise<T>): Promise<T> {
    if (!redis.isReady) return Promise.reject(new Error('Redis is away'))
    const { promise, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('Redis does not answer')), ANSWER_MS)
    return Promise.race([ask(), promise]).finally(() => clearTimeout(timer))
  }

  let looking: NodeJS.Timeout | undefined
  return {
    adapterOf,
    /** Resolves when this process reads what others say: `say` has to come back. What it does not hear is told to `tellGap`. */
    async begin(say: () => void, tellGap: () => void) {
      looking = setInterval(() => {
        if (!gap || !redis.isReady) return
        gap = false
        tellGap()
      }, LOOK_MS)
      looking.unref()
      for (const end = Date.now() + READING_MS; !reading && Date.now() < end; ) {
        say()
        await new Promise(done => setTimeout(done, 20))
      }
    },
    async close() {
      clearInterval(looking)
      if (redis.isReady) await redis.close()
      else if (redis.isOpen) redis.destroy()
    },
  }
}
