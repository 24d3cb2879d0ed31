import { connect, createServer, type Socket } from 'node:net'
import { redisClientOnce } from './redis.client.ts'
import { type Watched, watchedBySentinels } from './sentinels.ts'

/** How often (ms) the sentinels are asked whether another Redis leads: one that has to follow is left. */
const LOOK_MS = 1_000

export interface RedisAddress {
  /** What clients connect to. */
  url: string
  close(): void
}

/**
 * The address of the Redis that leads. Of one with sentinels that is a port of this process alone, behind which every new connection
 * goes to whichever leads then: clients of Redis, and what duplicates them, connect to one address for ever. The library's own client
 * for sentinels is of another type than the adapter of Socket.IO takes.
 */
export async function openRedisAddress(url: string): Promise<RedisAddress> {
  const watched = watchedBySentinels(url)
  if (!watched) return { url, close() {} }
  const pairs = new Map<Socket, { far: Socket; to: string }>()
  let led = ''
  const server = createServer(near => {
    near.on('error', () => {})
    leader(watched).then(
      to => {
        led = to
        pass(near, to)
      },
      // as of a server that is not there yet: a start waits for it
      () => near.resetAndDestroy(),
    )
  })
  function pass(near: Socket, to: string) {
    const far = connect(portOf(to), hostOf(to))
    pairs.set(near, { far, to })
    far.on('error', () => {}).on('close', () => near.destroy())
    near.on('close', () => {
      pairs.delete(near)
      far.destroy()
    })
    if (near.destroyed) near.emit('close')
    else near.pipe(far).pipe(near)
  }
  const looking = setInterval(async () => {
    const to = await leader(watched).catch(() => led)
    for (const [near, pair] of pairs) if (pair.to !== to) near.destroy()
  }, LOOK_MS)
  looking.unref()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done))
  server.unref()
  const { port } = server.address() as { port: number }
  return {
    url: `redis://${watched.login}127.0.0.1:${port}/${watched.database}`,
    close() {
      clearInterval(looking)
      server.close()
      for (const near of pairs.keys()) near.destroy()
    },
  }
}

/** The first sentinel that answers says which leads. */
const leader = ({ sentinels, name }: Watched) => Promise.any(sentinels.map(at => askSentinel(at, name)))

async function askSentinel(at: string, name: string): Promise<string> {
  const client = redisClientOnce(`redis://${at}`)
  client.on('error', () => {}) // the rejection below reports it
  try {
    await client.connect()
    const found = await client.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])
    if (!Array.isArray(found)) throw new Error(`the sentinel knows no ${name}`)
    const [host, port] = found.map(String)
    return host!.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  } finally {
    if (client.isOpen) client.destroy()
  }
}

const portOf = (place: string) => Number(place.slice(place.lastIndexOf(':') + 1))
const hostOf = (place: string) => place.slice(0, place.lastIndexOf(':')).replace(/^\[|\]$/g, '')
