import { contacts } from '@balcao/contract/contacts.ts'
import { mentionChannel, mentions } from '@balcao/contract/mentions.ts'
import { messageChannel, messages } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { messagesInDialog } from '../botConfigs/botConfigs.dialogs.queries.ts'
import { isAttended } from '../bots/bots.turn.queries.ts'
import { exportedMessages, messagesOfContact } from './history/history.queries.ts'

let app: TestApp
let admin: Person
let marina: Person
let caio: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
})
afterAll(() => app.close())

const note = (ticketId: number, body: object, who = admin) =>
  who.call(messages.send, {
    params: { ticketId, companyId: who.user.companyId },
    body: { isPrivate: true, ...body },
  })
const listed = async (ticketId: number, who = admin) =>
  (await who.get(messages.list, { params: { ticketId } })).messages
const shown = (ticketId: number) => admin.get(tickets.show, { params: { ticketId } })
const mentionsOf = (who: Person, query: object = {}) => who.get(mentions.list, { query })
const inCompany = () => app.platform.scopes.inCompany(admin.user.companyId)

test('a note stands in the conversation for whoever reads it, and changes nothing of its ticket', async () => {
  const ticketId = await rows.ticket()
  const before = await shown(ticketId)
  const [pushes, foreign] = [await admin.subscribe(messageChannel), await stranger.subscribe(messageChannel)]
  const { status, body } = await note(ticketId, { body: 'Pediu desconto' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    isPrivate: true,
    body: 'Pediu desconto',
    mentions: [],
    queueMentions: [],
    ack: 2,
  })
  const push = await until(() => pushes.find(one => one.action === 'create' && one.message.id === body.id))
  expect(await shown(ticketId)).toEqual(before)
  expect(push.action === 'create' && push.message).toEqual((await listed(ticketId)).at(-1))
  expect(foreign).toEqual([])
  expect((await note(ticketId, { body: 'Oi' }, stranger)).body.error).toBe('ERR_NO_TICKET_FOUND')
  // the same id twice is one note, and an id of another message is refused
  const again = await note(ticketId, { id: body.id, body: 'Pediu desconto' })
  expect(again.body.id).toBe(body.id)
  expect((await listed(ticketId)).filter(one => one.isPrivate)).toHaveLength(1)
  // on a closed ticket, too
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  expect((await note(ticketId, { body: 'Voltou atrás' })).status).toBe(200)
})

test('a note never leaves: the database refuses what would send it, and no call takes it', async () => {
  const ticketId = await rows.ticket()
  const id = (await note(ticketId, { body: 'Só nosso' })).body.id as string
  for (const change of [
    "outbox = 'queued'",
    'whatsapp_id = 1',
    'ack = 1',
    'is_forwarded = true',
    "source = 'bot'",
    'waits = true',
  ])
    await expect(
      inCompany().transaction(tx =>
        tx.sql.execute(tag`update messages set ${tag.raw(change)} where id = ${id}::uuid`),
      ),
    ).rejects.toThrow()
  const params = { messageId: id }
  const refusals = [
    await admin.call(messages.resend, { params }),
    await admin.call(messages.react, { params, body: { emoji: '👍' } }),
    await admin.call(messages.pin, { params, body: { span: 'day' } }),
    await admin.call(messages.edit, { params, body: { body: 'Oi' } }),
    await admin.call(messages.remove, { params: { ...params, channel: 'whatsapp' } }),
    await admin.call(messages.fetchMedia, { params }),
    await admin.call(messages.forward, {
      params: { ticketId },
      body: { from: ticketId, messages: [{ id: crypto.randomUUID(), messageId: id }] },
    }),
    await admin.call(messages.send, {
      params: { ticketId, companyId: admin.user.companyId },
      body: { body: 'Olá', quotedMsg: id },
    }),
  ]
  for (const { status } of refusals) expect(status).toBeGreaterThanOrEqual(400)
  const [context, attended] = await inCompany().transaction(async tx => {
    // who moved the ticket attends it: only what was written counts here
    await tx.sql.execute(tag`delete from ticket_history where ticket_id = ${ticketId}`)
    return [await messagesInDialog(tx, ticketId, 0), await isAttended(tx, ticketId)]
  })
  expect(context.map(({ body }) => body)).not.toContain('Só nosso')
  expect(attended).toBe(false)
  for (const [field, value] of Object.entries({
    poll: { question: 'Quando?', options: ['Hoje', 'Amanhã'] },
    contactIds: [1],
    isSticker: true,
    mentions: ['ana'],
  })) {
    const { status, body } = await note(ticketId, { body: 'Oi', [field]: value })
    expect([field, status]).toEqual([field, 400])
    expect(body.field).toMatch(new RegExp(`^${field}`))
  }
  expect((await note(ticketId, { body: '  ' })).body.field).toBe('body')
})

test('whoever is mentioned hears of it; who may not read the ticket is named, and nothing is written', async () => {
  const { ticketId, queueId } = await ofMarina()
  const heard = await marina.subscribe(mentionChannel)
  const [others, foreign] = [await caio.subscribe(mentionChannel), await stranger.subscribe(mentionChannel)]
  const written = await note(ticketId, { body: '@Marina veja', mentions: [String(marina.user.id)] })
  expect(written.body.mentions).toEqual([marina.user.id])
  const push = await until(() => heard.find(one => one.action === 'create'))
  const page = await mentionsOf(marina)
  expect(push.action === 'create' && push.mention).toEqual(page.mentions[0])
  expect(page).toMatchObject({
    unread: 1,
    mentions: [
      {
        ticketId,
        messageId: written.body.id,
        body: '@Marina veja',
        readAt: null,
        from: { id: admin.user.id },
      },
    ],
  })
  expect([others, foreign]).toEqual([[], []])
  // a queue mentions its members who may read it, each once and never the author
  const both = await note(ticketId, {
    body: '@fila',
    queueMentions: [queueId],
    mentions: [marina.user.id, admin.user.id],
  })
  expect(both.status).toBe(200)
  expect((await mentionsOf(marina)).unread).toBe(2)
  expect((await mentionsOf(admin)).mentions).toEqual([])
  const away = await rows.user()
  const away2 = await admin.get(users.show, { params: { userId: away } })
  await admin.get(users.change, { params: { userId: away }, body: { queueIds: [] } })
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId, userId: marina.user.id },
  })
  const refused = await note(ticketId, { body: '@x', mentions: [away, marina.user.id] })
  expect(refused.body).toMatchObject({ error: 'ERR_MENTION_NOT_ALLOWED', details: { names: [away2.name] } })
  expect((await note(ticketId, { body: '@x', mentions: [stranger.user.id] })).body.error).toBe(
    'ERR_NO_USER_FOUND',
  )
  expect((await note(ticketId, { body: '@x', queueMentions: [2_000_000_000] })).body.error).toBe(
    'ERR_NO_QUEUE_FOUND',
  )
  expect((await mentionsOf(marina)).unread).toBe(2)
  expect((await listed(ticketId)).filter(one => one.body === '@x')).toEqual([])
  const ids = page.mentions.map(one => one.id)
  expect(await stranger.get(mentions.read, { body: { ids } })).toEqual({ unread: 0 })
  expect(await marina.get(mentions.read, { body: { ids } })).toEqual({ unread: 1 })
  expect((await mentionsOf(marina, { onlyUnread: true })).mentions).toHaveLength(1)
  await until(() => heard.find(one => one.action === 'update'))
})

test('a mention is no way into a ticket that one may no longer read, and goes with its note', async () => {
  const { ticketId, queueId } = await ofMarina()
  await note(ticketId, { body: '@Marina leia', mentions: [marina.user.id] })
  const mine = async () => (await mentionsOf(marina)).mentions.filter(one => one.ticketId === ticketId)
  expect(await mine()).toHaveLength(1)
  const other = await rows.queue()
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId: other, userId: admin.user.id },
  })
  expect(await mine()).toEqual([])
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId, userId: marina.user.id },
  })
  const { messageId } = (await mine())[0]!
  const params = { messageId }
  expect((await marina.call(privateNotes.edit, { params, body: { body: 'Não' } })).body.error).toBe(
    'ERR_NO_PERMISSION',
  )
  const edited = await admin.get(privateNotes.edit, { params, body: { body: '@Marina leia já' } })
  expect(edited).toMatchObject({ body: '@Marina leia já', mentions: [marina.user.id] })
  expect(await mine()).toMatchObject([{ body: '@Marina leia já' }])
  const { versions } = await marina.get(messages.versions, { params })
  expect(versions).toMatchObject([{ what: 'edit', body: '@Marina leia', user: { id: admin.user.id } }])
  expect(await admin.get(privateNotes.remove, { params })).toMatchObject({
    isDeleted: true,
    body: '',
    mentions: [],
  })
  expect(await mine()).toEqual([])
  expect((await admin.get(messages.versions, { params })).versions.at(-1)).toMatchObject({
    what: 'delete',
    user: { id: admin.user.id },
  })
})

test('an export leaves notes out unless it asks for them; the data of the contact have them', async () => {
  const ticketId = await rows.ticket()
  await note(ticketId, { body: 'Nota da exportação' })
  const { contact } = await shown(ticketId)
  const fileOf = async (body: object) => {
    const { link } = await admin.get(tickets.export, { body: { contact: contact.id, ...body } })
    return link
  }
  const lines = async (withNotes: boolean) => {
    const found = await inCompany().transaction(tx =>
      exportedMessages(tx, [ticketId], { notes: withNotes }, undefined),
    )
    return found.map(({ body }) => body)
  }
  expect(await fileOf({ notes: true })).not.toBeNull()
  expect(await lines(false)).not.toContain('Nota da exportação')
  expect(await lines(true)).toContain('Nota da exportação')
  const own = await inCompany().transaction(tx => messagesOfContact(tx, contact.id))
  expect(own.newest.find(one => one.isPrivate)?.body).toBe('Nota da exportação')
  await admin.get(contacts.remove, { params: { contactId: contact.id } })
  const left = await inCompany().transaction(tx =>
    rowsFrom(tx.sql, tag`select 1 from messages where body = 'Nota da exportação'`),
  )
  expect(left).toEqual([])
})

/** A ticket of the attendant, in a queue of hers. */
async function ofMarina() {
  const ticketId = await rows.ticket()
  const queueId = marina.user.queues[0]!.id
  await admin.get(tickets.change, {
    params: { ticketId },
    body: { transf: true, queueId, userId: marina.user.id },
  })
  return { ticketId, queueId }
}
