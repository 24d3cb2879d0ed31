import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import fastify, { type FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../testing/person.ts'
import type { Platform } from '../app.ts'
import { type BodyLimits, bodyLimits, watchBodies } from './bodies.ts'
import { answerRefusal } from './error-answers.ts'
import { acceptFiles } from './files.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** An app that reads bodies of JSON whole and forms as they come; answers its port, and the lines of its log. */
async function listening(given: Partial<BodyLimits>) {
  const app = fastify({ trustProxy: true })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => lines.push(line) })
  const bodies = watchBodies(app, { ...bodyLimits, everyMs: 20, ...given })
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    bodies.whole(request, payload),
  )
  await acceptFiles(app)
  app.setErrorHandler((error, request, reply) => answerRefusal({ log } as Platform, error, request, reply))
  app.post('/whole', request => ({ bytes: (request.body as Buffer).length }))
  app.post('/file', async request => {
    let bytes = 0
    for await (const piece of (await request.file())!.file) bytes += piece.length
    return { bytes }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  closing.push(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return { port: (app.server.address() as { port: number }).port, lines }
}

/** A caller that announces a body of `size` bytes; answers what it received, and whether the connection has ended. */
function caller(port: number, path: string, size: number, headers = 'content-type: application/json') {
  const socket = connect(port, '127.0.0.1')
  const seen = { text: '', isClosed: false }
  socket.on('data', piece => {
    seen.text += piece
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.isClosed = true
  })
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\ncontent-length: ${size}\r\n\r\n`)
  closing.push(() => socket.destroy())
  return { seen, send: (bytes: string | Buffer) => socket.write(bytes), hangUp: () => socket.destroy() }
}

const FORM = 'content-type: multipart/form-data; boundary=x'
const HEAD = '--x\r\ncontent-disposition: form-data; name="f"; filename="a"\r\n\r\n'

test('a body that trickles ends by 408, a form as well as JSON; one that comes as slowly as a bad phone sends is taken', async () => {
  const { port, lines } = await listening({ graceMs: 300, bytesPerSecond: 400 })
  const slow = [caller(port, '/whole', 100_000), caller(port, '/file', 100_000, FORM)]
  slow[1]!.send(HEAD)
  const phone = caller(port, '/file', HEAD.length + 1_000 + 9, FORM)
  phone.send(HEAD)
  let sent = 0
  await until(() => {
    for (const one of slow) one.send('a')
    if (sent < 1_000) phone.send('a'.repeat(100))
    sent += 100
    return slow.every(({ seen }) => seen.isClosed) && sent >= 1_000
  })
  phone.send('\r\n--x--\r\n')
  await until(() => phone.seen.text.includes('{"bytes":1000}'))
  for (const { seen } of slow) expect(seen.text).toMatch(/^HTTP\/1.1 408/)
  // what came quickly buys no silence
  const resting = caller(port, '/file', 1_000_000, FORM)
  resting.send(HEAD + 'a'.repeat(500_000))
  await until(() => resting.seen.isClosed)
  expect(resting.seen.text).toMatch(/^HTTP\/1.1 408/)
  expect(lines).toEqual([])
})

test('of bodies that are held back the oldest of the network that holds most is ended, and who comes next is served', async () => {
  const { port } = await listening({ bytes: 1_000_000 })
  const of = (network: string) => `x-forwarded-for: ${network}\r\ncontent-type: application/json`
  const patient = caller(port, '/whole', 300_000, of('10.0.0.2'))
  patient.send(Buffer.alloc(200_000))
  const greedy = Array.from({ length: 4 }, () => caller(port, '/whole', 300_000, of('10.0.0.1')))
  for (const one of greedy) one.send(Buffer.alloc(250_000))
  await until(() => greedy.some(({ seen }) => seen.isClosed))
  patient.send(Buffer.alloc(100_000))
  await until(() => patient.seen.text.includes('{"bytes":300000}'))
  expect(greedy.filter(({ seen }) => seen.isClosed).length).toBeLessThan(4)
})

test('a body in pieces of a byte is read whole; one that is too large, or cut off, is the caller’s fault', async () => {
  const { port, lines } = await listening({})
  const pieces = caller(port, '/whole', 3)
  for (const letter of 'abc') {
    pieces.send(letter)
    await new Promise(setImmediate)
  }
  await until(() => pieces.seen.text.includes('{"bytes":3}'))
  const large = caller(port, '/whole', 2_000_000)
  await until(() => large.seen.text.startsWith('HTTP/1.1 413'))
  const cut = caller(port, '/whole', 3)
  cut.send('a')
  cut.hangUp()
  const next = caller(port, '/whole', 1)
  next.send('a')
  await until(() => next.seen.text.includes('{"bytes":1}'))
  expect(lines).toEqual([])
})
