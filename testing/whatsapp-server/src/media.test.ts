import { createHash, randomBytes } from 'node:crypto'
import { downloadMediaMessage, type WAMessage } from 'baileys'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noLogger } from './quiet.ts'
import { type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const photo = randomBytes(200_001)

/** Downloads as a program does that knows no way around. */
async function download(message: WAMessage): Promise<Buffer> {
  const context = { logger: noLogger, reuploadRequest: scene.client.sock.updateMediaMessage }
  return downloadMediaMessage(message, 'buffer', {}, context)
}

/** The customer sends a photo, and the client has its message. */
async function receivePhoto(): Promise<WAMessage> {
  const id = await scene.ana.write(SHOP, { image: photo, caption: 'o bolo' })
  return until('the photo', () => scene.client.messages.find(({ key }) => key.id === id))
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

test('a photo of a customer is downloaded byte by byte', async () => {
  const message = await receivePhoto()
  const image = message.message!.imageMessage!
  expect(image).toMatchObject({ caption: 'o bolo', mimetype: 'image/jpeg' })
  const bytes = await download(message)
  expect(bytes.equals(photo)).toBe(true)
  expect(hash(bytes).equals(image.fileSha256!)).toBe(true)
  expect(Number(image.fileLength)).toBe(photo.length)
})

test('a photo that the client sends reaches the customer byte by byte', async () => {
  const { client, ana, server, anaLid } = scene
  await client.sock.sendMessage(anaLid, { image: photo, caption: 'o recibo', jpegThumbnail: '' })
  const received = await until('the photo', () => ana.received()[0])
  expect(received).toMatchObject({ kind: 'image', text: 'o recibo', file: { mimetype: 'image/jpeg' } })
  expect(received.file!.bytes!.equals(photo)).toBe(true)
  expect(server.media.uploads).toHaveLength(1)
})

test('an upload that one host refuses is taken by the next', async () => {
  const { client, ana, server, anaLid } = scene
  server.media.refuseUploads(503)
  await client.sock.sendMessage(anaLid, {
    document: photo,
    mimetype: 'application/pdf',
    fileName: 'nota.pdf',
  })
  const received = await until('the document', () => ana.received()[0])
  expect(received.file!.bytes!.equals(photo)).toBe(true)
})

test('an upload that every host refuses fails, and nothing is sent', async () => {
  const { client, ana, server, anaLid } = scene
  server.media.refuseUploads(500, 2)
  const sending = client.sock.sendMessage(anaLid, { audio: photo, seconds: 3, mimetype: 'audio/mpeg' })
  await expect(sending).rejects.toThrow('Media upload failed on all hosts')
  await client.say(anaLid, 'sem áudio')
  await until('the text', () => ana.received()[0]?.text === 'sem áudio')
})

test.each([404, 410] as const)('an expired file (%i) is uploaded again by the phone', async status => {
  const { client, phone, server } = scene
  phone.goOnline()
  const message = await receivePhoto()
  await until('the photo on the phone', () => phone.received().length === 1)
  server.media.expire(status)
  await expect(download(message)).rejects.toMatchObject({ output: { statusCode: status } })
  const renewed = await client.sock.updateMediaMessage(message)
  expect((await download(renewed)).equals(photo)).toBe(true)
})

test('a file that the client sent and that expired is uploaded again by the phone too', async () => {
  const { client, phone, server, anaLid } = scene
  phone.goOnline()
  const sent = await client.sock.sendMessage(anaLid, { image: photo, jpegThumbnail: '' })
  await until('the copy on the phone', () => phone.received().length === 1)
  server.media.expire()
  const renewed = await client.sock.updateMediaMessage(sent!)
  expect((await download(renewed)).equals(photo)).toBe(true)
})

test('a phone that has the file no more says so', async () => {
  const { client, phone, server } = scene
  phone.goOnline()
  const message = await receivePhoto()
  await until('the photo on the phone', () => phone.received().length === 1)
  server.media.expire()
  phone.deleteFiles()
  await expect(client.sock.updateMediaMessage(message)).rejects.toMatchObject({ output: { statusCode: 404 } })
})

test('a phone that was out of reach uploads the file when it comes back', async () => {
  const { client, phone, server } = scene
  const message = await receivePhoto()
  server.media.expire()
  const renewing = client.sock.updateMediaMessage(message)
  const waiting = () => phone.account.devices.get(0)!.mailbox.owed
  await until('the request', () => waiting().some(({ attrs }) => attrs.type === 'server-error'))
  phone.goOnline()
  expect((await download(await renewing)).equals(photo)).toBe(true)
})

test('other bytes than were uploaded are decrypted, and only the hash tells', async () => {
  const message = await receivePhoto()
  scene.server.media.spoil()
  const bytes = await download(message)
  expect(bytes.length).toBe(photo.length)
  expect(hash(bytes).equals(message.message!.imageMessage!.fileSha256!)).toBe(false)
  expect((await download(message)).equals(photo)).toBe(true)
})

test('a slow download arrives, in its time', async () => {
  const message = await receivePhoto()
  scene.server.media.slowDown(1_000_000)
  const begin = performance.now()
  expect((await download(message)).equals(photo)).toBe(true)
  expect(performance.now() - begin).toBeGreaterThan(150)
})

// Fetched directly: on a broken connection, Baileys' own download raises an uncaught exception.
test('half a file arrives when the connection breaks in the middle', async () => {
  const { url } = (await receivePhoto()).message!.imageMessage!
  scene.server.media.breakOff()
  const response = await fetch(url!)
  expect(response.status).toBe(200)
  await expect(response.arrayBuffer()).rejects.toThrow('terminated')
  expect((await (await fetch(url!)).arrayBuffer()).byteLength).toBeGreaterThan(photo.length)
})

test('a download that stalls does not end by itself', async () => {
  const { url } = (await receivePhoto()).message!.imageMessage!
  scene.server.media.stall()
  const patience = new AbortController()
  const response = await fetch(url!, { signal: patience.signal })
  setTimeout(() => patience.abort(new Error('long enough')), 300)
  await expect(response.arrayBuffer()).rejects.toThrow('long enough')
})

test('a file is where the server says, whatever its message claims', async () => {
  const { ana, client } = scene
  const id = await ana.write(SHOP, { image: photo, url: 'https://intranet.test/secret' })
  const { message } = await until('the photo', () => client.messages.find(({ key }) => key.id === id))
  await client.sock.refreshMediaConn()
  const response = await fetch(`https://${client.sock.getMediaHost()}${message!.imageMessage!.directPath}`)
  const sealed = Buffer.from(await response.arrayBuffer())
  expect(hash(sealed).equals(message!.imageMessage!.fileEncSha256!)).toBe(true)
})

test('part of a file is downloaded', async () => {
  const message = await receivePhoto()
  const stream = await downloadMediaMessage(message, 'stream', { startByte: 1000, endByte: 2000 })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).equals(photo.subarray(1000, 2000))).toBe(true)
})
