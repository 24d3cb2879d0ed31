import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import { networkOf } from './rate-limits.ts'

/** How slowly a body may come, and how much of bodies that are read whole is in memory at once. */
export interface BodyLimits {
  /** So long (ms) it may be slower than `bytesPerSecond`. */
  graceMs: number
  bytesPerSecond: number
  everyMs: number
  /** Of all bodies together that have not arrived whole. */
  bytes: number
  count: number
}

/**
 * A phone in a 2G network sends 10 kB a second: a film of 100 MB takes the hours it needs, and a byte a second ends after
 * 20 s. Bodies that are read whole arrive within milliseconds: only who holds them back comes near the other two.
 */
export const bodyLimits: BodyLimits = {
  graceMs: 20_000,
  bytesPerSecond: 4_096,
  everyMs: 2_000,
  bytes: 64 * 1_048_576,
  count: 1_000,
}

export interface Bodies {
  /** A body, whole. Throws Fastify's errors for one that is larger than its route allows, or shorter than it says. */
  whole(request: FastifyRequest, payload: Readable): Promise<Buffer>
}

/**
 * Ends requests whose body comes too slowly, by 408. Time in which this side does not read does not count. Where too much
 * is held, the oldest body of the network that holds most is ended: whoever sends slowly, and not who comes next.
 */
export function watchBodies(app: FastifyInstance, limits: BodyLimits = bodyLimits): Bodies {
  const arriving = new Map<IncomingMessage, Arriving>()
  const held = { bytes: 0, count: 0 }
  const timer = setInterval(() => {
    for (const [raw, one] of arriving) if (isTooSlow(raw, one, limits)) endLate(raw)
  }, limits.everyMs)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    if (hasBody(raw) && !raw.complete) {
      const network = networkOf(request.ip)
      const { bytesRead } = raw.socket
      arriving.set(raw, { network, bytesRead, leftMs: limits.graceMs, held: 0 })
      raw.once('close', () => arriving.delete(raw))
    }
    done()
  })
  function hold(one: Arriving, bytes: number) {
    held.count += Number(bytes > 0) - Number(one.held > 0)
    held.bytes += bytes - one.held
    one.held = bytes
    if (held.bytes <= limits.bytes && held.count <= limits.count) return
    const [raw, oldest] = oldestOfLargest(arriving)
    // what it holds is free from now on: no other is ended for it
    arriving.delete(raw)
    hold(oldest, 0)
    endLate(raw)
  }
  return {
    async whole(request, payload) {
      const one = arriving.get(request.raw)
      try {
        return await readWhole(request, payload, bytes => {
          if (one && arriving.has(request.raw)) hold(one, bytes)
        })
      } finally {
        if (one) hold(one, 0)
      }
    },
  }
}

interface Arriving {
  network: string
  /** Of its socket, when it was last looked at. */
  bytesRead: number
  /** How long it may still be slower than `bytesPerSecond`: what came quickly buys no silence after it. */
  leftMs: number
  /** Bytes of it in memory; 0 where it is not read whole. */
  held: number
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function isTooSlow(raw: IncomingMessage, one: Arriving, { graceMs, bytesPerSecond, everyMs }: BodyLimits) {
  if (raw.complete || raw.readableLength > 0) return false
  const { bytesRead } = raw.socket
  const cameMs = ((bytesRead - one.bytesRead) / bytesPerSecond) * 1_000
  one.bytesRead = bytesRead
  one.leftMs = Math.min(graceMs, one.leftMs + cameMs) - everyMs
  return one.leftMs < 0
}

/** The oldest body of the network that holds most. */
function oldestOfLargest(arriving: Map<IncomingMessage, Arriving>): [IncomingMessage, Arriving] {
  const networks = Map.groupBy(
    [...arriving].filter(([, { held }]) => held > 0),
    ([, { network }]) => network,
  )
  const sum = (all: [IncomingMessage, Arriving][]) => all.reduce((bytes, [, { held }]) => bytes + held, 0)
  const [first, ...others] = networks.values()
  return others.reduce((most, one) => (sum(one) > sum(most) ? one : most), first!)[0]!
}

/** As Node's own HTTP server does it. */
function endLate(raw: IncomingMessage) {
  raw.socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
  raw.destroy(new Error('the body came too slowly'))
}

/** Copied into one buffer that doubles: each piece would cost some hundred bytes beside its content, and may be of one byte. */
async function readWhole(request: FastifyRequest, payload: Readable, hold: (bytes: number) => unknown) {
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'])
  if (announced > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  let whole: Buffer = Buffer.alloc(0)
  let size = 0
  // one that is refused is not destroyed: its answer still leaves
  for await (const piece of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (size + piece.length > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
    if (size === 0) whole = piece
    else {
      if (size + piece.length > whole.length)
        whole = grown(whole, size, size + piece.length, announced || limit)
      piece.copy(whole, size)
    }
    size += piece.length
    hold(whole.length)
  }
  const isEncoded = request.headers['content-encoding'] !== undefined
  if (announced >= 0 && !isEncoded && size !== announced)
    throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  return whole.subarray(0, size)
}

function grown(before: Buffer, size: number, needed: number, most: number) {
  const buffer = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * before.length, most)))
  before.copy(buffer, 0, 0, size)
  return buffer
}
