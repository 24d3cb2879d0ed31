import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { downloadMediaMessage } from 'baileys'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Client, startClient } from './client.ts'
import { ANA, SHOP } from './scene.ts'
import { trustFor } from './trust.ts'
import { until } from './wait.ts'

let child: ChildProcess
let at: { url: string; control: string; rootPublicKey: string; media: { host: string; certificate: string } }
let client: Client

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

beforeEach(async () => {
  child = spawn(process.execPath, [file('./main.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout!), 'line')
  at = JSON.parse(line)
  client = startClient({ ...at, rootPublicKey: Buffer.from(at.rootPublicKey, 'hex') })
})

afterEach(async () => {
  await client.stop()
  child.kill()
  await once(child, 'exit')
})

async function call(method: string, path: string, body?: object) {
  const init = body ? { method, body: JSON.stringify(body) } : { method }
  const response = await fetch(`${at.control}${path}`, init)
  return (await response.json()) as Record<string, unknown> & unknown[]
}

test('another process plays the phones over HTTP', async () => {
  await call('POST', '/phones', { number: SHOP, name: 'Padaria' })
  const { lid } = await call('POST', '/phones', { number: ANA, name: 'Ana' })
  await call('POST', `/phones/${SHOP}/scan`, { qr: await client.qr() })
  await client.opened()
  const { id } = await call('POST', `/phones/${ANA}/messages`, { to: SHOP, text: 'Oi' })
  await until('the message', () => client.texts().includes('Oi'))
  const answer = await client.say(`${lid}@lid`, 'Olá')
  await until('the delivery', () => client.statuses.get(answer) === 3)
  expect(await call('GET', `/phones/${ANA}/messages`)).toMatchObject([{ text: 'Olá', from: SHOP, times: 1 }])
  await call('POST', `/phones/${ANA}/read`, { ids: [answer] })
  await until('the reading', () => client.statuses.get(answer) === 4)
  expect(await call('GET', `/phones/${ANA}/sent`)).toMatchObject([{ id, to: SHOP, status: 'delivered' }])
  expect(await call('GET', '/stats')).toMatchObject({
    accepted: { [`${id}`]: 1, [answer]: 1 },
    unknown: [],
    errors: [],
  })
  await call('POST', `/phones/${SHOP}/unlink`)
  await until('the removal', () => client.closes.includes(401))
})

test('files are told by JSON too', async () => {
  await call('POST', '/phones', { number: SHOP })
  const { lid } = await call('POST', '/phones', { number: ANA })
  await call('POST', `/phones/${SHOP}/scan`, { qr: await client.qr() })
  await client.opened()
  const bytes = Buffer.from('%PDF-1.7 de mentira')
  const file = { document: bytes.toString('base64'), fileName: 'pedido.pdf' }
  const { id } = await call('POST', `/phones/${ANA}/messages`, { to: SHOP, ...file })
  const received = await until('the document', () => client.messages.find(({ key }) => key.id === id))
  expect((await downloadMediaMessage(received, 'buffer', {})).equals(bytes)).toBe(true)
  await call('POST', '/media/expire', { code: 404 })
  await expect(downloadMediaMessage(received, 'buffer', {})).rejects.toThrow('Failed to fetch stream')
  await client.sock.sendMessage(`${lid}@lid`, { image: bytes, caption: 'recebido', jpegThumbnail: '' })
  const list = () => call('GET', `/phones/${ANA}/messages`)
  await expect
    .poll(list)
    .toMatchObject([
      { kind: 'image', text: 'recebido', file: { size: bytes.length, mimetype: 'image/jpeg' } },
    ])
})

test('what cannot be done is said, and what is not there is not found', async () => {
  await call('POST', '/phones', { number: SHOP })
  expect(await call('POST', `/phones/${SHOP}/messages`, { to: ANA, text: 'Oi' })).toEqual({
    error: `there is no phone with the number ${ANA}`,
  })
  expect(await call('POST', '/nowhere')).toEqual({ error: 'there is no POST /nowhere' })
})

test('a process that is started with the trust file takes the server for WhatsApp', async () => {
  const { args, env } = trustFor({ ...at, rootPublicKey: Buffer.from(at.rootPublicKey, 'hex') })
  const app = spawn(process.execPath, [...args, file('./trust.example.ts'), at.url], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void app.kill())
  const exit = once(app, 'exit')
  const [line] = await once(createInterface(app.stdout), 'line')
  expect(line).toMatch(/^404 https:\/\/wa\.me\/settings\/linked_devices#/)
  await exit
})
