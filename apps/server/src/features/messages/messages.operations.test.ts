import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../../testing/world.ts'
import { sql } from '../../platform/sql.ts'

let world: World
let admin: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  stranger = await world.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => world.close())

async function sent(body = 'Chega amanhã') {
  const ticketId = await rowsOf(world, admin).ticket()
  const { contact } = await admin.get(tickets.show, { params: { ticketId } })
  const { id } = await admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    body: { body },
  })
  const shown = async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.id === id)!
  const onPhone = async () =>
    (await admin.get(simulator.chat, { params: { whatsappId, number: contact.number } })).at(-1)!
  await until(async () => (await shown()).ack === 2)
  return { id, ticketId, number: contact.number, shown, onPhone, params: { messageId: id } }
}
const fault = (kind: 'none' | 'reject' | 'offline') =>
  admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
const age = (id: string, hours: number) =>
  world.database.transaction('', tx =>
    tx.execute(sql`update messages set created_at = now() - ${hours} * interval '1 hour' where id = ${id}`),
  )

describe('deleting for everyone', () => {
  test('is marked once the network agreed, and everybody hears it', async () => {
    const { id, params, shown, onPhone } = await sent()
    const heard = await admin.hear(messageChannel)
    const answer = await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    expect(answer.isDeleted).toBe(false)
    await until(async () => (await onPhone()).isDeleted)
    const push = await until(() =>
      heard.find(one => one.action === 'update' && one.message.id === id && one.message.isDeleted),
    )
    expect(push.action === 'update' && push.message).toEqual(await shown())
  })

  test('that the network refuses leaves the message as it was and says why', async () => {
    const { params, shown } = await sent()
    await fault('reject')
    await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    await until(async () => (await shown()).failReason)
    await fault('none')
    expect(await shown()).toMatchObject({ isDeleted: false, ack: 2, failReason: 'ERR_DELETE_WAPP_MSG' })
  })

  test('while the network is away happens when it is back, once', async () => {
    const { params, shown, onPhone } = await sent()
    await fault('offline')
    await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    expect((await shown()).isDeleted).toBe(false)
    await fault('none')
    await until(async () => (await shown()).isDeleted)
    expect((await onPhone()).isDeleted).toBe(true)
  })

  test('a message that has not left takes it back, and it never leaves', async () => {
    const { ticketId, number, onPhone } = await sent('primeira')
    await fault('offline')
    const { id } = await admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: 'engano' },
    })
    const heard = await admin.hear(messageChannel)
    const answer = await admin.call(messages.remove, { params: { messageId: id, channel: 'whatsapp' } })
    expect(answer.body).toMatchObject({ id, isDeleted: true })
    await until(() => heard.some(push => push.action === 'delete' && push.messageId === id))
    const page = await admin.get(messages.list, { params: { ticketId } })
    expect(page.messages.at(-1)!.body).toBe('primeira')
    expect(page.ticket).toMatchObject({ lastMessage: 'primeira', lastMessageId: page.messages.at(-1)!.id })
    await fault('none')
    await admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: 'certa' },
    })
    await until(async () => (await onPhone()).body === 'certa')
    const all = await admin.get(simulator.chat, { params: { whatsappId, number } })
    const mistake = all.find(one => one.body === 'engano')
    expect([answer.status, mistake?.isDeleted ?? true]).toEqual([200, true])
    expect((await admin.call(messages.resend, { params: { messageId: id } })).status).toBe(404)
  })

  test('is refused for what is old, deleted, theirs or of another company', async () => {
    const { id, ticketId, params } = await sent()
    const remove = async (who: Person, messageId: string) =>
      (await who.call(messages.remove, { params: { messageId, channel: 'whatsapp' } })).body.error
    expect(await remove(stranger, id)).toBe('ERR_FETCH_WAPP_MSG')
    const { messages: all } = await admin.get(messages.list, { params: { ticketId } })
    expect(await remove(admin, all.find(one => !one.fromMe)!.id)).toBe('ERR_FETCH_WAPP_MSG')
    await age(id, 61)
    expect(await remove(admin, params.messageId)).toBe('ERR_DELETE_WAPP_MSG')
  })
})

describe('editing', () => {
  test('changes the text on both sides and keeps the signature', async () => {
    const { params, shown, onPhone } = await sent()
    await admin.get(messages.edit, { params, body: { body: 'Chega hoje' } })
    await until(async () => (await shown()).editedAt)
    expect((await shown()).body.endsWith('Chega hoje')).toBe(true)
    expect(await onPhone()).toMatchObject({ body: (await shown()).body, isEdited: true })
  })

  test('is refused after a quarter of an hour', async () => {
    const { id, params } = await sent()
    await age(id, 0.26)
    const { status, body } = await admin.call(messages.edit, { params, body: { body: 'Tarde' } })
    expect([status, body.error]).toEqual([400, 'ERR_EDIT_WAPP_MSG'])
  })
})

describe('reacting', () => {
  test('shows at once, reaches the phone, changes and goes', async () => {
    const { params, shown, onPhone } = await sent()
    for (const emoji of ['👍🏽', '👨‍👩‍👧']) {
      const answer = await admin.get(messages.react, { params, body: { emoji } })
      expect(answer.reactions).toEqual([{ emoji, fromMe: true, name: admin.user.name }])
      await until(async () => (await onPhone()).reactions[0]?.emoji === emoji)
    }
    await admin.get(messages.react, { params, body: { emoji: '' } })
    await until(async () => (await onPhone()).reactions.length === 0)
    expect((await shown()).reactions).toEqual([])
  })

  test('that the network refuses goes again and says why', async () => {
    const { params, shown } = await sent()
    await fault('reject')
    await admin.get(messages.react, { params, body: { emoji: '👍' } })
    await until(async () => (await shown()).failReason)
    await fault('none')
    expect((await shown()).reactions).toEqual([])
  })

  test.each(['oi', '👍👍', '<b>'])('takes one emoji only: %s', async emoji => {
    const { params } = await sent()
    const { status, body } = await admin.call(messages.react, { params, body: { emoji } })
    expect([status, body.field]).toEqual([400, 'emoji'])
  })
})
