import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { leads } from '@balcao/contract/leads.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../../../testing/baileys.ts'
import { type Person, until } from '../../../testing/test-app.ts'
import { SHOP } from '../../../testing/whatsapp.ts'

// The first message to a number that never wrote: WhatsApp is queried for the account.

let shop: Awaited<ReturnType<typeof openShop>>
let admin: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.app.as('admin@balcao.test')
})
afterAll(async () => {
  await shop.close()
  expect(shop.server.errors).toEqual([])
  expect(shop.server.unknown).toEqual([])
})

/** An attendant writes to a new number; answers the message's state once the condition holds. */
async function writeTo(number: string) {
  const { id: contactId } = await admin.get(contacts.create, { body: { name: `Novo ${number}`, number } })
  const body = { contactId, queueId: admin.user.queues[0]!.id, whatsappId: shop.whatsappId }
  const { id: ticketId } = await admin.get(tickets.open, { body })
  const params = { ticketId, companyId: admin.user.companyId }
  const send = (text: string) => admin.get(messages.send, { params, body: { body: text } })
  const { id } = await send('Olá, tudo bem?')
  const shown = async () => (await admin.get(messages.list, { params: { ticketId } })).messages
  const when = (holds: (message: { ack: number; failReason: string }) => boolean) =>
    until(async () => {
      return (await shown()).find(message => message.id === id && holds(message))
    })
  return { when, send, messages: shown }
}

test('a number that is not on WhatsApp fails at once and says so [CONTACT-017, ERR-013]', async () => {
  const { when } = await writeTo('5511977770404')
  expect(await when(({ ack }) => ack === 0)).toMatchObject({ failReason: 'ERR_WAPP_INVALID_CONTACT' })
})

test('a number that could not be checked is asked for again, and gets the message once', async () => {
  const phone = await shop.phoneOf('5511977770001')
  shop.server.faults.failChecks(2)
  const { when } = await writeTo(phone.number)
  await when(({ ack }) => ack >= 2)
  expect(phone.received().map(({ text, times }) => [text?.endsWith('tudo bem?'), times])).toEqual([[true, 1]])
})

test('one that cannot be checked waits and says why, and leaves by itself when it can [CONTACT-017, ERR-013]', async () => {
  const phone = await shop.phoneOf('5511977770002')
  shop.server.faults.failChecks()
  const { when } = await writeTo(phone.number)
  await when(({ failReason }) => failReason === 'ERR_WAPP_CHECK_CONTACT')
  expect(phone.received()).toEqual([])
  shop.server.faults.failChecks(0)
  await when(({ ack, failReason }) => ack >= 2 && failReason === '')
  expect(phone.received()).toHaveLength(1)
})

test('strangers are told over the notification centre who has WhatsApp; a network that does not say is said (OP-118) [API-034]', async () => {
  const find = (number: string) => shop.app.anonymous.call(leads.findWhatsapp, { params: { number } })
  expect((await find('5511977770003')).body.error).toBe('ERR_NO_DEF_WAPP_FOUND')
  await shop.app.database.script(
    `update whatsapps set saas_notification_center = true where id = ${shop.whatsappId}`,
  )
  const { number } = await shop.phoneOf('5511977770003')
  expect((await find(number)).body).toEqual({ exists: true, number })
  expect((await find('5511977770404')).body).toEqual({ exists: false, number: '5511977770404' })
  shop.server.faults.failChecks()
  expect((await find('5511977770005')).body).toMatchObject({
    error: 'ERR_WAPP_CHECK_CONTACT',
    field: 'number',
  })
  shop.server.faults.failChecks(0)
})

test('on a restricted number a first message waits and says why, a known customer is answered, and each leaves once', async () => {
  const params = { whatsappId: shop.whatsappId }
  const shown = () => admin.get(connections.show, { params })
  const [known, stranger, late] = await Promise.all(
    ['5511977770010', '5511977770011', '5511977770012'].map(number => shop.phoneOf(number)),
  )
  const dialog = await writeTo(known!.number)
  await dialog.when(({ ack }) => ack >= 2)
  await known!.write(SHOP, 'Oi')
  await until(async () => (await dialog.messages()).some(({ fromMe }) => !fromMe))
  const owner = shop.server.phone(SHOP)
  owner.restrict(new Date(Date.now() + 3_600_000))
  const restricted = await until(async () => (await shown()).restrictedUntil)
  expect(Date.parse(restricted) - Date.now()).toBeGreaterThan(3_000_000)
  const held = await writeTo(stranger!.number)
  const next = await writeTo(late!.number)
  for (const { when } of [held, next])
    expect(await when(({ failReason }) => failReason === 'ERR_WAPP_RESTRICTED')).toMatchObject({ ack: 1 })
  await dialog.send('Já vai')
  await until(() => known!.received().some(({ text }) => text?.endsWith('Já vai')))
  expect(stranger!.received()).toEqual([])
  // who writes is no stranger any more, also while the restriction lasts
  await stranger!.write(SHOP, 'Quem é?')
  await held.when(({ ack, failReason }) => ack >= 2 && failReason === '')
  expect(late!.received()).toEqual([])
  owner.restrict(null)
  await next.when(({ ack, failReason }) => ack >= 2 && failReason === '')
  for (const phone of [stranger!, late!]) expect(phone.received().map(({ times }) => times)).toEqual([1])
  expect((await shown()).restrictedUntil).toBe(null)
  const { falls } = await admin.get(connections.falls, { params })
  expect(falls[0]).toMatchObject({ reason: 'ERR_WAPP_RESTRICTED', code: '463', until: restricted })
  expect(falls[0]!.backAt).not.toBe(null)
})

test('a first message that WhatsApp refuses while it restricts the number is held, not failed', async () => {
  const phone = await shop.phoneOf('5511977770013')
  const owner = shop.server.phone(SHOP)
  owner.restrict(new Date(Date.now() + 3_600_000), { isQuiet: true })
  const { when } = await writeTo(phone.number)
  expect(await when(({ failReason }) => failReason !== '')).toMatchObject({
    ack: 1,
    failReason: 'ERR_WAPP_RESTRICTED',
  })
  owner.restrict(null)
  await when(({ ack, failReason }) => ack >= 2 && failReason === '')
  expect(phone.received().map(({ times }) => times)).toEqual([1])
})
