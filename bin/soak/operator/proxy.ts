import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'

/** A reverse proxy in front of an installation. */
export interface ReverseProxy {
  url: string
  /** Addresses that it leads to, in turn; one that refuses connections is passed over. */
  targets: string[]
  /** Calls so far. */
  calls: number
  /** Calls that it answered by 502, since no target did. */
  refused: number
  /** WebSockets that it has passed on. */
  upgraded: number
  close(): Promise<void>
}

export async function openProxy(targets: string[] = []): Promise<ReverseProxy> {
  const sockets = new Set<Duplex>()
  let turn = 0
  const inTurn = () => {
    turn++
    return proxy.targets.map((_, place) => proxy.targets[(turn + place) % proxy.targets.length]!)
  }
  const server = createServer(async (incoming, outgoing) => {
    proxy.calls++
    const body = await buffer(incoming).catch(() => null)
    if (!body) return
    for (const target of inTurn()) if (await passOn(target, incoming, body, outgoing)) return
    proxy.refused++
    outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
  })
  server.on('upgrade', async (incoming: IncomingMessage, near: Duplex, head: Buffer) => {
    sockets.add(near)
    near.on('close', () => sockets.delete(near)).on('error', () => near.destroy())
    for (const target of inTurn()) if (await join(target, incoming, near, head)) return void proxy.upgraded++
    proxy.refused++
    near.end('HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const proxy: ReverseProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    ...{ calls: 0, refused: 0, upgraded: 0 },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    },
  }
  return proxy
}

/** As proxies name the caller: behind those that have passed the call on before. */
const forwarded = ({ headers, socket }: IncomingMessage) => ({
  'x-forwarded-for': [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join(', '),
  'x-forwarded-proto': 'http',
  'x-forwarded-host': headers.host ?? '',
})

/** False where the target refuses connections: then another may take the call. */
function passOn(target: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) {
  const { hostname, port } = new URL(target)
  const { method, url, headers } = incoming
  return new Promise<boolean>(done => {
    const call = ask(
      { hostname, port, method, path: url, headers: { ...headers, ...forwarded(incoming) }, agent: false },
      answer => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
        done(true)
      },
    )
    call.on('error', error => {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return done(false)
      // it may have done what it was asked for: only the caller knows whether it may be asked again
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
      done(true)
    })
    outgoing.on('close', () => call.destroy())
    call.end(body)
  })
}

/** Joins both sides of a WebSocket. False where the target refuses connections. */
function join(target: string, incoming: IncomingMessage, near: Duplex, head: Buffer) {
  const { hostname, port } = new URL(target)
  return new Promise<boolean>(done => {
    const far: Socket = connect(Number(port), hostname)
    far.on('error', () => done(false))
    far.once('connect', () => {
      const headers = { ...incoming.headers, ...forwarded(incoming) }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      far.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('')}\r\n`)
      far.write(head)
      far.pipe(near).pipe(far)
      near.once('close', () => far.destroy())
      far.once('close', () => near.destroy())
      done(true)
    })
  })
}
