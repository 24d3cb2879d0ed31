import { connect, createServer, type Socket } from 'node:net'

/** A proxy between the product and a server it needs, which tests can cut. */
export interface ProxiedWire {
  port: number
  /** `url` with this wire's address instead of the server's. */
  over(url: string): string
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Nothing passes any more, also on new connections, and none breaks; `flow` lets everything pass. */
  hold(): void
  /** What the server answers passes byte by byte, ten a second. */
  drip(): void
  /** Every connection ends with a reset, and each new one. */
  reset(): void
  flow(): void
  /** The server closes every connection without this side being notified; new connections work. */
  forget(): void
  close(): Promise<void>
}

type Mode = 'flow' | 'hold' | 'drip' | 'reset'

/** One direction of a connection. */
interface Way {
  from: Socket
  to: Socket
  isAnswer: boolean
}

const DRIP_MS = 100

export async function openProxiedWire(to: string): Promise<ProxiedWire> {
  const { hostname, port: target } = new URL(to)
  const ways = new Map<Socket, Way>()
  const forgotten = new WeakSet<Socket>()
  let mode: Mode = 'flow'
  const listener = createServer(near => {
    const far = connect(Number(target), hostname)
    for (const way of [
      { from: near, to: far, isAnswer: false },
      { from: far, to: near, isAnswer: true },
    ]) {
      const { from, to: other } = way
      from.on('error', () => other.destroy())
      from.on('close', () => {
        ways.delete(from)
        if (!forgotten.has(from)) other.destroy()
      })
      ways.set(from, way)
      pass(way, mode)
    }
  })
  const dripping = setInterval(() => {
    if (mode !== 'drip') return
    for (const { from, to, isAnswer } of ways.values()) {
      const byte = isAnswer ? from.read(1) : null
      if (byte !== null) to.write(byte)
    }
  }, DRIP_MS)
  dripping.unref()
  const listen = (port: number) => new Promise<void>(done => listener.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = listener.address() as { port: number }
  const cut = async () => {
    if (!listener.listening) return
    const closed = new Promise(done => listener.close(done))
    for (const socket of ways.keys()) socket.destroy()
    await closed
  }
  const turn = (to: Mode) => () => {
    mode = to
    for (const way of ways.values()) pass(way, mode)
  }
  return {
    port,
    over(url) {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${port}`
      return changed.href
    },
    cut,
    hold: turn('hold'),
    drip: turn('drip'),
    reset: turn('reset'),
    flow: turn('flow'),
    mend: () => listen(port),
    forget() {
      for (const { from, isAnswer } of ways.values())
        if (isAnswer) {
          forgotten.add(from)
          from.destroy()
        }
    },
    async close() {
      clearInterval(dripping)
      await cut()
    },
  }
}

function pass({ from, to, isAnswer }: Way, mode: Mode) {
  from.unpipe()
  if (mode === 'reset') from.resetAndDestroy()
  else if (mode === 'flow' || (mode === 'drip' && !isAnswer)) from.pipe(to)
  // what is not read in pieces of a byte stays where it is
  else from.pause()
}
