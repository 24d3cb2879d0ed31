import { connect, createServer, type Socket } from 'node:net'

/** A proxy between the product and a server it needs, which tests can cut. */
export interface ProxiedWire {
  port: number
  /** `url` with this wire's address instead of the server's. */
  over(url: string): string
  /** Every connection breaks, and new ones are refused. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Nothing passes any more, and no connection breaks; `flow` lets everything pass. */
  hold(): void
  flow(): void
  /** The server closes every connection without this side being notified; new connections work. */
  forget(): void
  close(): Promise<void>
}

export async function openProxiedWire(to: string): Promise<ProxiedWire> {
  const { hostname, port: target } = new URL(to)
  const sockets = new Set<Socket>()
  const farSides = new Set<Socket>()
  /** What comes in at the one goes out at the other. */
  const ends = new Map<Socket, Socket>()
  const forgotten = new WeakSet<Socket>()
  const listener = createServer(near => {
    const far = connect(Number(target), hostname)
    farSides.add(far)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        ends.delete(one)
        farSides.delete(one)
        if (!forgotten.has(one)) other.destroy()
      })
      ends.set(one, other)
      one.pipe(other)
    }
  })
  const listen = (port: number) => new Promise<void>(done => listener.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = listener.address() as { port: number }
  const cut = async () => {
    if (!listener.listening) return
    const closed = new Promise(done => listener.close(done))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    port,
    over(url) {
      const changed = new URL(url)
      changed.host = `127.0.0.1:${port}`
      return changed.href
    },
    cut,
    hold() {
      for (const socket of sockets) socket.unpipe()
    },
    flow() {
      for (const [one, other] of ends) one.pipe(other)
    },
    mend: () => listen(port),
    forget() {
      for (const far of farSides) {
        forgotten.add(far)
        far.destroy()
      }
    },
    close: cut,
  }
}
