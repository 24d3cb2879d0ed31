import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectionOf } from '../../testing/connection.ts'
import { newNumber } from '../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import type { Chat, InboundEvent } from '../driver.ts'
import { receiveInbound } from './inbound.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
})
afterAll(() => app.close())

const receive = (...events: InboundEvent[]) => {
  const of = { companyId: admin.user.companyId, whatsappId: admin.user.whatsappId! }
  return receiveInbound(connectionOf(app.platform, of), [events])
}
const message = (chat: Chat, body: string, more: object = {}): InboundEvent => ({
  ...{ kind: 'message', chat, externalId: crypto.randomUUID(), fromMe: false, name: 'Ana' },
  ...{ body, mediaType: null, at: new Date().toISOString(), ...more },
})
const ticketOf = async (number: string) => {
  const page = await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })
  return page.tickets.find(ticket => ticket.contact.number === number)!
}

test('of messages that come together one quotes another, of another chat', async () => {
  const [one, other] = [newNumber(), newNumber()]
  await receive(
    message({ kind: 'phone', value: one }, 'no grupo', { externalId: 'TOGETHER1' }),
    message({ kind: 'phone', value: other }, 'em particular', { quotedExternalId: 'TOGETHER1' }),
  )
  const { id: ticketId } = await ticketOf(other)
  const [first] = (await admin.get(messages.list, { params: { ticketId } })).messages
  expect(first!.quotedMsg).toMatchObject({ body: 'no grupo' })
})

test('a question and its answer that come together under two names of one person are in their order', async () => {
  const phone = { kind: 'phone', value: newNumber() } as const
  const lid = { kind: 'lid', value: `9${newNumber()}` } as const
  await receive(message({ ...phone, also: lid }, 'Oi'))
  await receive(message(phone, 'Tem sofá?'), message(lid, 'Tem', { fromMe: true }))
  expect(await ticketOf(phone.value)).toMatchObject({
    ...{ unreadMessages: 0, waitingSince: null, lastMessage: 'Tem' },
  })
})
