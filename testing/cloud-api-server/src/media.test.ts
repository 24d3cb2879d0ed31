import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { samples } from './samples.ts'
import { type Scene, setScene } from './scene.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

const png = samples['image/png']
const DAY = 24 * 3_600_000

async function download(url: string | undefined, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${scene.server.token.value}`
  const answer = await fetch(url!, { headers: { authorization, ...headers } })
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

test('what was uploaded is told of by its id, and downloaded with the token', async () => {
  const { upload, graph } = scene
  const id = await upload('image/png')
  const { status, body } = await graph('GET', `/${id}`)
  expect(status).toBe(200)
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    url: expect.stringContaining(`mid=${id}`),
    mime_type: 'image/png',
    sha256: createHash('sha256').update(png).digest('hex'),
    file_size: png.length,
    id,
  })
  expect(await download(body.url)).toEqual({ status: 200, type: 'image/png', bytes: png })
  expect((await download(body.url, { authorization: '' })).status).toBe(400)
  expect((await download(body.url, { authorization: 'Bearer x' })).status).toBe(401)
  expect((await download(body.url, { 'user-agent': '' })).status).toBe(403)
})

test('its URL is good for five minutes, and the id can be asked for another', async () => {
  const { upload, graph, server } = scene
  const id = await upload('image/png')
  const first = (await graph('GET', `/${id}`)).body.url
  await server.clock.advance(5 * 60_000 - 1)
  expect((await download(first)).status).toBe(200)
  await server.clock.advance(1)
  expect((await download(first)).status).toBe(404)
  expect((await download((await graph('GET', `/${id}`)).body.url)).status).toBe(200)
})

test('what was uploaded is kept for 30 days, what a customer sent for 7', async () => {
  const { upload, graph, server, ana, receiver } = scene
  const id = await upload('image/png')
  ana.says({ image: { bytes: png, mime: 'image/png' } })
  await server.settled()
  const image = receiver.messages().at(-1)!.image as { id: string; url: string; sha256: string }
  expect(image.sha256).toBe(createHash('sha256').update(png).digest('base64'))
  expect((await download(image.url)).bytes).toEqual(png)
  await server.clock.advance(7 * DAY)
  expect(await graph('GET', `/${image.id}`)).toMatchObject({
    status: 400,
    body: { error: { code: 100, error_subcode: 33 } },
  })
  expect((await graph('GET', `/${id}`)).status).toBe(200)
  await server.clock.advance(23 * DAY)
  expect((await graph('GET', `/${id}`)).status).toBe(400)
})

test('what was deleted is gone, and so is what a test lets expire', async () => {
  const { upload, graph, send } = scene
  const id = await upload('image/png')
  expect(await graph('DELETE', `/${id}`)).toEqual({ status: 200, body: { success: true } })
  expect(await graph('GET', `/${id}`)).toMatchObject({
    status: 400,
    body: { error: { type: 'GraphMethodException' } },
  })
  expect(await send({ type: 'image', image: { id } })).toMatchObject({
    status: 400,
    body: { error: { code: 100 } },
  })
})

test('a file belongs to the number it was uploaded with', async () => {
  const { upload, graph, server } = scene
  const other = server.account.addNumber('551130000002')
  const id = await upload('image/png')
  expect((await graph('GET', `/${id}?phone_number_id=${server.number.id}`)).status).toBe(200)
  expect((await graph('GET', `/${id}?phone_number_id=${other.id}`)).status).toBe(400)
  const message = { messaging_product: 'whatsapp', to: scene.ana.number, type: 'image', image: { id } }
  expect((await graph('POST', `/${other.id}/messages`, message)).status).toBe(400)
})

test('a download is spoilt, cut off or refused on request', async () => {
  const { upload, graph, server } = scene
  const { url } = (await graph('GET', `/${await upload('image/png')}`)).body
  server.faults.downloads.next({ spoil: 'bytes' }, { spoil: 'end' }, { status: 500, times: 2 })
  const answers = [
    await download(url),
    await download(url),
    await download(url),
    await download(url),
    await download(url),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 500, 500, 200])
  expect(answers[0]!.bytes.length).toBe(png.length)
  expect(answers[0]!.bytes).not.toEqual(png)
  expect(answers[1]!.bytes).toEqual(png.subarray(0, png.length >> 1))
  expect(answers[4]!.bytes).toEqual(png)
})

test('a file is fetched from the place that a link names, and its failure is told', async () => {
  const { send, ana, receiver } = scene
  const place = createServer((request, response) => {
    if (request.url === '/foto.png') response.writeHead(200, { 'content-type': 'image/png' }).end(png)
    else response.writeHead(404).end()
  })
  await new Promise<void>(resolve => place.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(place.address() as AddressInfo).port}`
  await send({ type: 'image', image: { link: `${at}/foto.png`, caption: 'Pão' } })
  expect(ana.received()).toMatchObject([{ type: 'image', text: 'Pão' }])
  await send({ type: 'image', image: { link: `${at}/nada.png` } })
  const details = 'Downloading media from weblink failed with http code 404, status message Not Found'
  expect(receiver.statuses().at(-1)).toMatchObject({ errors: [{ code: 131053, error_data: { details } }] })
  await new Promise(resolve => place.close(resolve))
})
