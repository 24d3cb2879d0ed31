import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowsOf, unique } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let stranger: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const sent = (body = 'Chega amanhã') => sentWith({ body: { body } })
const sentPicture = (body: string) => sentWith({ body: { body }, files: [picture('contrato.png')] })

async function sentWith(given: { body: { body: string }; files?: ReturnType<typeof picture>[] }) {
  const ticketId = await rowsOf(app, admin).ticket()
  const { contact } = await admin.get(tickets.show, { params: { ticketId } })
  const { id } = await admin.get(messages.send, {
    params: { ticketId, companyId: admin.user.companyId },
    ...given,
  })
  const shown = async () =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.id === id)!
  const onPhone = async () =>
    (await admin.get(simulator.chat, { params: { whatsappId, number: contact.number } })).at(-1)!
  await until(async () => (await shown()).ack === 2)
  return { id, ticketId, number: contact.number, shown, onPhone, params: { messageId: id } }
}
/** Its line is down, or up again, when this is answered. */
async function fault(kind: 'none' | 'reject' | 'offline') {
  await admin.get(simulator.fault, { params: { whatsappId }, body: { kind } })
  const status = kind === 'offline' ? 'OPENING' : 'CONNECTED'
  await until(async () => (await admin.get(connections.show, { params: { whatsappId } })).status === status)
}
const age = (id: string, hours: number) =>
  app.database.transaction('', tx =>
    tx.execute(sql`update messages set created_at = now() - ${hours} * interval '1 hour' where id = ${id}`),
  )

describe('a pin', () => {
  const pinsOf = (ticketId: number, by = admin) => by.call(messages.pins, { params: { ticketId } })

  test('stands above the conversation for its time once the network agreed, as a line says, until it is taken off', async () => {
    const { id, ticketId, params, onPhone } = await sent('O endereço é Rua do Sol, 5')
    await admin.get(messages.pin, { params, body: { span: 'week' } })
    const [pinned] = await until(async () => {
      const { pins } = (await pinsOf(ticketId)).body
      return pins.length > 0 && pins
    })
    expect([pinned!.id, pinned!.body]).toEqual([id, expect.stringContaining('Rua do Sol')])
    const days = (Date.parse(pinned!.pinnedUntil) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
    expect((await onPhone()).isPinned).toBe(true)
    await admin.get(messages.pin, { params, body: { span: null } })
    await until(async () => (await pinsOf(ticketId)).body.pins.length === 0)
    const { messages: listed } = await admin.get(messages.list, { params: { ticketId } })
    const lines = listed.filter(({ mediaType }) => mediaType === 'chat_event')
    expect(
      lines.map(({ dataJson, quotedMsg, user }) => [JSON.parse(dataJson!).what, quotedMsg!.id, user!.id]),
    ).toEqual([
      ['pinned', id, admin.user.id],
      ['unpinned', id, admin.user.id],
    ])
    expect((await pinsOf(ticketId, stranger)).status).toBe(404)
    expect((await stranger.call(messages.pin, { params, body: { span: 'day' } })).status).toBe(404)
  })

  test('that the network refuses is none, and the message says why', async () => {
    const { ticketId, params, shown } = await sent()
    await fault('reject')
    await admin.get(messages.pin, { params, body: { span: 'day' } })
    await until(async () => (await shown()).failReason)
    await fault('none')
    expect((await shown()).failReason).toBe('ERR_PIN_WAPP_MSG')
    expect((await pinsOf(ticketId)).body).toEqual({ pins: [], mayPin: true })
  })
})

describe('deleting for everyone', () => {
  test('is marked once the network agreed, and everybody hears it [MSG-040, OP-80]', async () => {
    const { id, params, shown, onPhone } = await sent()
    const pushes = await admin.subscribe(messageChannel)
    const answer = await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    expect(answer.isDeleted).toBe(false)
    await until(async () => (await onPhone()).isDeleted)
    const push = await until(() =>
      pushes.find(one => one.action === 'update' && one.message.id === id && one.message.isDeleted),
    )
    expect(push.action === 'update' && push.message).toEqual(await shown())
  })

  test('that the network refuses leaves the message as it was and says why [MSG-040, ERR-016]', async () => {
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

  test('a message that has not left takes it back, and it never leaves [EVENT-008]', async () => {
    const { ticketId, number, onPhone } = await sent('primeira')
    await fault('offline')
    const { id } = await admin.get(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: 'engano' },
    })
    const pushes = await admin.subscribe(messageChannel)
    const answer = await admin.call(messages.remove, { params: { messageId: id, channel: 'whatsapp' } })
    expect(answer.body).toMatchObject({ id, isDeleted: true })
    await until(() => pushes.some(push => push.action === 'delete' && push.messageId === id))
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

  test('is refused for what is old, deleted, theirs or of another company [ERR-024]', async () => {
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

describe('what was deleted for everyone', () => {
  const company = { params: { companyId: 0 } }
  beforeAll(() => {
    company.params.companyId = admin.user.companyId
  })
  const keep = (keepsDeleted: boolean) => admin.get(companies.change, { ...company, body: { keepsDeleted } })
  /** Everything that users can read of a conversation, as one text. */
  async function shownOf(ticketId: number, word: string) {
    const params = { ticketId }
    const [list, search, everywhere, files] = await Promise.all([
      admin.get(messages.list, { params }),
      admin.get(messages.list, { params, query: { searchTerm: word } }),
      admin.get(tickets.list, { query: { searchParam: word, showAll: true, tab: 'search' } }),
      admin.get(messages.files, { params }),
    ])
    const { link } = await admin.get(tickets.export, { body: { contact: list.ticket.contactId } })
    const sheet = await readSheet(Buffer.from(await (await admin.fetch(link!)).arrayBuffer()))
    const found = [search.messages.length, everywhere.tickets.length]
    return { found, text: JSON.stringify([list, search.messages, everywhere, files, sheet]) }
  }

  test('is nowhere to be read any more: lists, quotes, previews, searches, exports, files and pushes', async () => {
    const word = `sigilo${unique()}`
    const { id, ticketId, params, shown } = await sent(`Segue o ${word}`)
    const send = { params: { ticketId, companyId: admin.user.companyId } }
    const answer = await admin.get(messages.send, { ...send, body: { body: 'como disse', quotedMsg: id } })
    expect((await shownOf(ticketId, word)).found).toEqual([1, 1])
    const pushes = await admin.subscribe(messageChannel)
    await until(async () => (await shown()).ack === 2)
    await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    await until(async () => (await shown()).isDeleted)
    await until(() => pushes.some(one => one.action === 'update' && one.message.isDeleted))
    await until(async () => !(await shownOf(ticketId, word)).text.includes(word))
    const { found, text } = await shownOf(ticketId, word)
    expect([found, text.includes(answer.id)]).toEqual([[0, 0], true])
    const push = pushes.findLast(one => one.action === 'update' && one.message.id === id)
    expect(JSON.stringify(push)).not.toContain(word)
    expect(await shown()).toMatchObject({ body: '', mediaType: null, mediaUrl: null, dataJson: null })
    // who deleted it stays, for admins
    expect(await admin.get(messages.versions, { params })).toMatchObject({
      versions: [{ what: 'delete', body: '', mediaUrl: null, user: { id: admin.user.id } }],
    })
    const left = await app.database.transaction('', tx =>
      rowsFrom(tx, sql`select 1 from messages where body like ${`%${word}%`}`),
    )
    expect(left).toEqual([])
  })

  test('before rows were blanked is not answered either', async () => {
    const word = `antigo${unique()}`
    const { id, ticketId, shown } = await sent(`Era ${word}`)
    await app.database.transaction('', tx =>
      tx.execute(sql`update messages set is_deleted = true, version = version + 1 where id = ${id}`),
    )
    await app.database.transaction('', tx =>
      tx.execute(sql`update tickets set last_message = '', version = version + 1 where id = ${ticketId}`),
    )
    expect(await shown()).toMatchObject({ isDeleted: true, body: '' })
    const { found, text } = await shownOf(ticketId, word)
    expect([found, text.includes(`Era ${word}`)]).toEqual([[0, 0], false])
  })

  test('is kept where the company says so, with its file, for admins alone', async () => {
    await keep(true)
    const { params, shown } = await sentPicture('Foto do contrato')
    const { mediaUrl } = await shown()
    await admin.get(messages.remove, { params: { ...params, channel: 'whatsapp' } })
    await until(async () => (await shown()).isDeleted)
    expect(await shown()).toMatchObject({ body: '', mediaUrl: null })
    expect(await admin.get(messages.versions, { params })).toMatchObject({
      versions: [{ what: 'delete', body: 'Foto do contrato', mediaUrl, user: { id: admin.user.id } }],
    })
    const attendant = await app.as('atendente@balcao.test')
    const fileFor = async ({ token }: Person) =>
      (await fetch(new URL(mediaUrl!, app.url), { headers: { authorization: `Bearer ${token}` } })).status
    expect([await fileFor(admin), await fileFor(attendant), await fileFor(stranger)]).toEqual([200, 404, 404])
    const seen = await attendant.call(messages.versions, { params })
    expect(JSON.stringify(seen.body)).not.toContain('Foto do contrato')
    expect([404, 400].includes((await stranger.call(messages.versions, { params })).status)).toBe(true)
    await keep(false)
    expect(await admin.get(messages.versions, { params })).toMatchObject({
      versions: [{ what: 'delete', body: '', mediaUrl: null, media: null, mediaType: 'image' }],
    })
  })
})

describe('editing', () => {
  test('is for who wrote it and admins; what it said before is kept, with who changed it', async () => {
    const marina = await app.as('atendente@balcao.test')
    const caio = await app.as('caio@balcao.test')
    const queueId = marina.user.queues.find(one => caio.user.queues.some(other => other.id === one.id))!.id
    const { ticketId } = await sent('antes')
    await admin.call(tickets.change, { params: { ticketId }, body: { status: 'pending', queueId } })
    await marina.get(tickets.change, { params: { ticketId }, body: { status: 'open', queueId } })
    const send = { params: { ticketId, companyId: admin.user.companyId } }
    const { id: messageId } = await marina.get(messages.send, { ...send, body: { body: 'São R$ 100' } })
    const shown = async () =>
      (await admin.get(messages.list, { params: { ticketId } })).messages.find(one => one.id === messageId)!
    await until(async () => (await shown()).ack === 2)
    const params = { messageId }
    await admin.get(tickets.change, { params: { ticketId }, body: { userId: caio.user.id } })
    const refused = await caio.call(messages.edit, { params, body: { body: 'São R$ 1' } })
    expect([refused.status, refused.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    // nor deleted by a colleague who may not change it
    const deleted = await caio.call(messages.remove, { params: { messageId, channel: 'whatsapp' } })
    expect([deleted.status, deleted.body.error]).toEqual([403, 'ERR_NO_PERMISSION'])
    expect((await shown()).body).toContain('São R$ 100')
    const before = (await shown()).body
    await admin.get(messages.edit, { params, body: { body: 'São R$ 90' } })
    await until(async () => (await shown()).body.endsWith('São R$ 90'))
    expect(await caio.get(messages.versions, { params })).toMatchObject({
      versions: [{ what: 'edit', body: before, user: { id: admin.user.id } }],
    })
    expect(await stranger.call(messages.versions, { params })).toMatchObject({
      body: { error: 'ERR_FETCH_WAPP_MSG' },
    })
    // a hundred are kept, however often it is changed
    await app.database.script(
      `insert into message_versions (company_id, message_id, what, body)
       select ${admin.user.companyId}, '${messageId}', 'edit', 'antes' from generate_series(1, 99)`,
    )
    await admin.get(messages.edit, { params, body: { body: 'São R$ 80' } })
    await until(async () => (await shown()).body.endsWith('São R$ 80'))
    expect((await admin.get(messages.versions, { params })).versions).toHaveLength(100)
  })

  test('changes the text on both sides and keeps the signature [MSG-041, OP-73]', async () => {
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
