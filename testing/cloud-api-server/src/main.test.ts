import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Receiver, startReceiver, VERIFY_TOKEN } from './receiver.ts'
import { samples } from './samples.ts'
import { ANA } from './scene.ts'

let child: ChildProcess
let at: { url: string; control: string }
let receiver: Receiver
let meta: { app: { secret: string }; number: { id: string; digits: string }; token: string }

beforeEach(async () => {
  child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout!), 'line')
  at = JSON.parse(line)
  meta = await call('GET', '/')
  receiver = await startReceiver(() => meta.app.secret)
  await call('POST', '/subscribe', { url: receiver.url, verifyToken: VERIFY_TOKEN })
})

afterEach(async () => {
  child.kill()
  await once(child, 'exit')
  await receiver.close()
})

async function call<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${at.control}${path}`, { method, body: body && JSON.stringify(body) })
  return (await response.json()) as T
}

async function send(text: string) {
  const response = await fetch(`${at.url}/v25.0/${meta.number.id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${meta.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', to: ANA, text: { body: text } }),
  })
  const body = (await response.json()) as { messages?: { id: string }[]; error?: { code: number } }
  await call('POST', '/settle')
  return { id: body.messages?.[0]?.id, code: body.error?.code }
}

test('another process plays the customers over HTTP', async () => {
  await call('POST', '/customers', { number: ANA, name: 'Ana' })
  const { id } = await call('POST', `/customers/${ANA}/says`, { said: 'Oi' })
  const picture = { bytes: samples['image/png'].toString('base64'), mime: 'image/png', caption: 'Pão' }
  await call('POST', `/customers/${ANA}/says`, { said: { image: picture }, quotes: id })
  await call('POST', '/settle')
  expect(receiver.messages()).toMatchObject([
    { id, text: { body: 'Oi' } },
    { type: 'image', context: { id }, image: { caption: 'Pão' } },
  ])
  expect(receiver.taken.every(({ genuine }) => genuine)).toBe(true)
  const answer = await send('Olá')
  await call('POST', `/customers/${ANA}/reads`, { ids: [answer.id] })
  await call('POST', `/customers/${ANA}/reacts`, { id: answer.id, emoji: '👍' })
  await call('POST', '/settle')
  expect(await call('GET', `/customers/${ANA}/messages`)).toMatchObject([
    { id: answer.id, text: 'Olá', status: 'read' },
  ])
  expect(receiver.statuses().map(({ status }) => status)).toEqual(['sent', 'delivered', 'read'])
  expect(receiver.messages().at(-1)).toMatchObject({ reaction: { message_id: answer.id } })
  expect(await call('GET', '/sent')).toMatchObject([
    { to: ANA, text: 'Olá', statuses: ['sent', 'delivered', 'read'] },
  ])
  expect(await call('GET', '/stats')).toMatchObject({ sent: 1, doubled: [], unknown: [], errors: [] })
})

test('faults, the clock and Meta itself are played over HTTP', async () => {
  await call('POST', '/customers', { number: ANA })
  await call('POST', `/customers/${ANA}/says`, { said: 'Oi' })
  await call('POST', '/faults/calls', { steps: [{ code: 130429, times: 2 }] })
  expect([(await send('um')).code, (await send('dois')).code, (await send('três')).code]).toEqual([
    130429,
    130429,
    undefined,
  ])
  await call('POST', '/clock', { advance: 25 * 3_600_000 })
  await send('tarde')
  expect(receiver.statuses().at(-1)).toMatchObject({ errors: [{ code: 131047 }] })
  await call('POST', '/webhooks/hold')
  await call('POST', `/customers/${ANA}/says`, { said: 'a' })
  await call('POST', `/customers/${ANA}/says`, { said: 'b' })
  await call('POST', '/webhooks/release', { order: 'reversed' })
  await call('POST', '/templates', { name: 'promo', components: [{ type: 'BODY', text: 'Promoção' }] })
  await call('POST', '/template/decide', { name: 'promo', status: 'PAUSED' })
  await call('POST', '/number/quality', { quality: 'RED' })
  await call('POST', '/settle')
  expect(receiver.messages().slice(-2)).toMatchObject([{ text: { body: 'b' } }, { text: { body: 'a' } }])
  expect(receiver.values('message_template_status_update')).toMatchObject([{ event: 'PAUSED' }])
  expect(receiver.values('phone_number_quality_update')).toMatchObject([{ event: 'FLAGGED' }])
  await call('POST', '/token/expire')
  expect((await send('nunca')).code).toBe(190)
  meta = await call('POST', '/token/new')
  expect((await send('de novo')).id).toMatch(/^wamid\./)
})

test('what cannot be done is said, and what is not there is not found', async () => {
  expect(await call('POST', `/customers/${ANA}/says`, { said: 'Oi' })).toEqual({
    error: `there is no customer with the number ${ANA}`,
  })
  expect(await call('POST', '/customers', {})).toEqual({ error: 'number must be a text' })
  expect(await call('POST', '/faults/calls', {})).toEqual({ error: 'steps must be a list' })
  expect(await call('POST', '/nowhere')).toEqual({ error: 'there is no POST /nowhere' })
})
