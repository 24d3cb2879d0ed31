import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ANA, type Scene, SHOP, setScene } from './scene.ts'
import { until } from './wait.ts'

let scene: Scene

beforeEach(async () => {
  scene = await setScene()
})

afterEach(() => scene.end())

/** Calls as the client receives them: status and the caller. */
function hearCalls() {
  const heard: { id: string; status: string; isVideo?: boolean; callerPn?: string; offline: boolean }[] = []
  scene.client.sock.ev.on('call', calls => heard.push(...calls))
  return heard
}

test.each(['timeout', 'terminate'] as const)('a call that nobody takes ends by %s', async how => {
  const heard = hearCalls()
  const call = scene.ana.call(SHOP, { video: true })
  call.end(how)
  await until('its end', () => heard.length === 2)
  expect(heard).toMatchObject([
    { id: call.id, status: 'offer', isVideo: true, callerPn: scene.anaPn, offline: false },
    { id: call.id, status: how, isVideo: true },
  ])
  const missed = scene.client.messages.filter(({ messageStubType }) => messageStubType)
  expect(missed.map(({ key }) => key.id)).toEqual(how === 'timeout' ? [call.id] : [])
})

test('a call that the owner takes on the phone stops ringing at the client', async () => {
  const heard = hearCalls()
  const { ana, phone } = scene
  phone.goOnline()
  const call = ana.call(SHOP)
  await until('the ringing', () => phone.calls().length === 1)
  phone.answer(call.id, 'accept')
  await until('the end', () => heard.length === 2)
  expect(heard).toMatchObject([{ status: 'offer', isVideo: false }, { status: 'terminate' }])
  await until('the answer', () => ana.calls().some(({ event }) => event === 'accept'))
})

test('a call that the client rejects stops ringing on the phone', async () => {
  const { ana, phone, client } = scene
  phone.goOnline()
  const call = ana.call(SHOP)
  await until('the call', () => client.calls.length === 1)
  await client.sock.rejectCall(call.id, scene.anaLid)
  await until('the end', () => phone.calls().length === 2)
  expect(phone.calls()).toMatchObject([
    { id: call.id, from: ANA, event: 'offer' },
    { id: call.id, from: ANA, event: 'terminate', reason: 'rejected_elsewhere' },
  ])
})

test('a call that was missed while the client was away is told when it comes back', async () => {
  const { server, client, ana } = scene
  server.dropSockets(SHOP)
  await until('the close', () => client.closes.includes(428))
  ana.call(SHOP).end('timeout')
  client.restart()
  const heard = hearCalls()
  await until('both', () => heard.length === 2)
  expect(heard).toMatchObject([
    { status: 'offer', offline: true },
    { status: 'timeout', offline: true },
  ])
})

test('typing, recording and pausing are shown to a client that is online', async () => {
  const { client, ana, phone } = scene
  const seen: string[] = []
  client.sock.ev.on('presence.update', ({ presences }) => {
    seen.push(...Object.values(presences).map(({ lastKnownPresence }) => lastKnownPresence))
  })
  ana.type(SHOP, 'composing')
  await client.sock.sendPresenceUpdate('available')
  await until('the client to be online', () => phone.companions()[0]!.isAvailable)
  for (const state of ['composing', 'recording', 'paused'] as const) ana.type(SHOP, state)
  await until('all three', () => seen.length >= 3)
  expect(seen).toEqual(['composing', 'recording', 'available'])
})

test('what the client types, records or pauses is shown to the customer', async () => {
  const { client, ana, anaLid } = scene
  for (const state of ['composing', 'recording', 'paused'] as const) {
    await client.sock.sendPresenceUpdate(state, anaLid)
    await until(state, () => ana.typing().get(SHOP) === state)
  }
})

test('who is watched is seen online, and when he was', async () => {
  const { client, ana, anaLid } = scene
  const seen: { lastKnownPresence: string; lastSeen?: number | null }[] = []
  client.sock.ev.on('presence.update', ({ presences }) => seen.push(...Object.values(presences)))
  await client.sock.sendPresenceUpdate('available')
  await client.sock.presenceSubscribe(anaLid)
  await until('the first', () => seen.length === 1)
  ana.appear('available')
  await until('the second', () => seen.length === 2)
  ana.appear('unavailable')
  await until('the third', () => seen.length === 3)
  expect(seen).toMatchObject([
    { lastKnownPresence: 'unavailable', lastSeen: expect.any(Number) },
    { lastKnownPresence: 'available' },
    { lastKnownPresence: 'unavailable', lastSeen: expect.any(Number) },
  ])
})

test('the customer sees whether the company is online', async () => {
  const { server, client, ana } = scene
  ana.watch(SHOP)
  expect(ana.presences().get(SHOP)).toBe('unavailable')
  await client.sock.sendPresenceUpdate('available')
  await until('it to be online', () => ana.presences().get(SHOP) === 'available')
  server.dropSockets(SHOP)
  await until('it to be away', () => ana.presences().get(SHOP) === 'unavailable')
})

test('a profile picture has an address, none has none, and a hidden one is refused', async () => {
  const { client, ana, anaLid } = scene
  const picture = randomBytes(3_000)
  const ask = () => client.sock.profilePictureUrl(anaLid, 'image')
  await expect(ask()).rejects.toMatchObject({ data: 404 })
  ana.setPicture(picture)
  const response = await fetch((await ask())!)
  expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true)
  ana.setPicture(picture, { hidden: true })
  await expect(ask()).rejects.toMatchObject({ data: 401 })
})

test('another name and another picture of somebody who wrote are told', async () => {
  const { client, ana, anaLid } = scene
  // Baileys puts several changes of one contact together, as it likes.
  const known: Record<string, unknown> = {}
  client.sock.ev.on('contacts.update', contacts => {
    for (const contact of contacts) if (contact.id === anaLid) Object.assign(known, contact)
  })
  await ana.write(SHOP, 'Oi')
  await until('the message', () => client.texts().length === 1)
  ana.rename('Ana Maria')
  ana.setPicture(randomBytes(10))
  await ana.write(SHOP, 'Sou eu')
  await until('the second', () => client.texts().length === 2)
  const fromAna = client.messages.filter(({ key }) => !key.fromMe)
  expect(fromAna.map(({ pushName }) => pushName)).toEqual(['Ana', 'Ana Maria'])
  await until('both', () => known.imgUrl === 'changed' && known.notify === 'Ana Maria')
})

test('numbers are found or not; one that is spelt otherwise leads to the address that is in use', async () => {
  const { server, client } = scene
  await server.addPhone('551188887777')
  await server.addPhone('5521977776666')
  const found = await client.sock.onWhatsApp(
    '5511988887777',
    '552177776666',
    '5521977776666',
    '5511900000404',
    '123',
  )
  expect(found).toEqual([
    { jid: '551188887777@s.whatsapp.net', exists: true },
    { jid: '5521977776666@s.whatsapp.net', exists: true },
    { jid: '5521977776666@s.whatsapp.net', exists: true },
  ])
})

test('what is sent to a number as it is not in use reaches nobody', async () => {
  const { server, client } = scene
  const rui = await server.addPhone('551188887777')
  await client.say('5511988887777@s.whatsapp.net', 'ninguém')
  await client.say('551188887777@s.whatsapp.net', 'Rui')
  await until('the second', () => rui.received().length === 1)
  expect(rui.received()[0]!.text).toBe('Rui')
})

test('a number that hides behind its LID becomes known later', async () => {
  const { server, client } = scene
  const eva = await server.addPhone('5511933333333', { name: 'Eva', isHidden: true })
  const mappings: object[] = []
  client.sock.ev.on('lid-mapping.update', mapping => mappings.push(mapping))
  const lid = `${eva.account.lid}@lid`
  await eva.write(SHOP, 'quem sou?')
  const keys = () => client.messages.flatMap(({ key }) => (key.fromMe ? [] : [key]))
  await until('the message', () => keys().length === 1)
  expect(keys()[0]).toMatchObject({ remoteJid: lid })
  expect(keys()[0]!.remoteJidAlt).toBeFalsy()
  expect(await client.sock.signalRepository.lidMapping.getPNForLID(lid)).toBeNull()
  eva.reveal()
  await until('the news', () => mappings.length === 1)
  expect(mappings).toEqual([{ lid, pn: '5511933333333@s.whatsapp.net' }])
  await eva.write(SHOP, 'sou eu')
  await until('the second', () => keys().length === 2)
  expect(keys()[1]!.remoteJidAlt).toBe('5511933333333@s.whatsapp.net')
})

test('a LID that the phone learns is known to its client', async () => {
  const { server, client, phone } = scene
  const eva = await server.addPhone('5511933333333', { isHidden: true })
  const { lidMapping } = client.sock.signalRepository
  await phone.goOnline()
  await phone.learn('5511933333333')
  const lid = `${eva.account.lid}@lid`
  await expect.poll(() => lidMapping.getPNForLID(lid)).toBe('5511933333333:0@s.whatsapp.net')
})
