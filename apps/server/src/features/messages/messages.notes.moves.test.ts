import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { mentionChannel, mentions } from '@balcao/contract/mentions.ts'
import { messages } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let [admin, marina, stranger]: Person[] = []
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  await app.database.script('update companies set number_attendants = 999')
  const emails = ['admin@balcao.test', 'atendente@balcao.test', 'admin@outra.test']
  ;[admin, marina, stranger] = await Promise.all(emails.map(email => app.as(email)))
  rows = rowsOf(app, admin!)
})
afterAll(() => app.close())

const note = (ticketId: number, body: object, files?: ReturnType<typeof pdf>[]) =>
  admin!.call(messages.send, {
    params: { ticketId, companyId: admin!.user.companyId },
    body: { isPrivate: true, ...body },
    ...(files && { files }),
  })
const shown = (ticketId: number) => admin!.get(tickets.show, { params: { ticketId } })
const notesIn = async (ticketId: number, who = admin!) =>
  (await who.get(messages.list, { params: { ticketId } })).messages.filter(one => one.isPrivate)
const pdf = (name: string) => ({
  ...{ name, type: 'application/pdf' },
  bytes: new TextEncoder().encode(`%PDF-1.4\n%${name}\n%%EOF`),
})

test('files make a note each, the first with text and mentions; they are read by whoever reads the ticket, and go with their note', async () => {
  const ticketId = await ofMarina()
  const before = await shown(ticketId)
  const id = crypto.randomUUID()
  const given = { id, body: '@Marina veja', mentions: [String(marina!.user.id)] }
  const files = [pdf('contrato.pdf'), pdf('recibo.pdf')]
  const sent = await note(ticketId, given, files)
  expect(sent.body).toMatchObject({ id, isPrivate: true, mentions: [marina!.user.id] })
  const again = await note(ticketId, given, files)
  expect(again.body.also?.map(one => one.id)).toEqual(sent.body.also!.map(one => one.id))
  expect(await shown(ticketId)).toEqual(before)
  const kept = await notesIn(ticketId, marina)
  expect(kept.map(({ body, media, mentions: named }) => [body, media?.name, named])).toEqual([
    ['@Marina veja', 'contrato.pdf', [marina!.user.id]],
    ['', 'recibo.pdf', []],
  ])
  const [url, other] = kept.map(({ mediaUrl }) => mediaUrl!)
  expect((await marina!.fetch(url!)).status).toBe(200)
  expect((await stranger!.fetch(url!)).status).toBe(404)
  await admin!.get(privateNotes.remove, { params: { messageId: id } })
  await until(async () => (await marina!.fetch(url!)).status === 404)
  expect((await marina!.fetch(other!)).status).toBe(200)
  // a file without a word may stay so, and nothing at all may not
  expect((await note(ticketId, { body: '' }, [])).body.field).toBe('body')
})

test('notes follow their tickets when contacts are merged and parted, and so do their mentions', async () => {
  const [ticketId, other] = [await ofMarina(), await ofMarina()]
  const { id } = (await note(ticketId, { body: '@Marina fica', mentions: [marina!.user.id] })).body
  await note(other, { body: 'Da outra' })
  const [from, into] = [(await shown(ticketId)).contact.id, (await shown(other)).contact.id]
  const { merge } = await admin!.get(contactMerges.merge, { body: { into, from, keep: {} } })
  const mine = async () =>
    (await marina!.get(mentions.list)).mentions.find(({ messageId }) => messageId === id)
  expect(await mine()).toMatchObject({ contact: { id: into }, body: '@Marina fica' })
  const all = async (...ids: number[]) => {
    const found = await Promise.all(ids.map(one => notesIn(one)))
    return [...new Set(found.flat().map(({ body }) => body))].sort()
  }
  expect(await all(ticketId, other)).toEqual(['@Marina fica', 'Da outra'])
  expect(await admin!.get(privateNotes.edit, { params: { messageId: id }, body: { body: 'Ficou' } })).toEqual(
    expect.objectContaining({ contactId: into, body: 'Ficou' }),
  )
  await admin!.get(contactMerges.undo, { params: { mergeId: merge.id } })
  expect(await mine()).toMatchObject({ ticketId, contact: { id: from } })
  expect((await notesIn(ticketId)).map(({ body, contactId }) => [body, contactId])).toContainEqual([
    'Ficou',
    from,
  ])
})

test('a ticket that is deleted takes its mentions along, and whoever was mentioned counts anew', async () => {
  const ticketId = await ofMarina()
  const before = await marina!.get(mentions.list)
  await note(ticketId, { body: '@Marina some', mentions: [marina!.user.id] })
  expect((await marina!.get(mentions.list)).unread).toBe(before.unread + 1)
  const pushes = await marina!.subscribe(mentionChannel)
  await admin!.get(tickets.remove, { params: { ticketId } })
  await until(() => pushes.find(({ action }) => action === 'update'))
  expect((await marina!.get(mentions.list)).unread).toBe(before.unread)
})

test('the text of a note can be changed when whom it mentions is gone, or may not read the ticket any more', async () => {
  const ticketId = await ofMarina()
  const userId = await rows.user()
  const queueId = await rows.queue()
  const { name } = await admin!.get(users.show, { params: { userId } })
  await admin!.get(users.change, {
    params: { userId },
    body: { queueIds: marina!.user.queues.map(one => one.id) },
  })
  const named = { mentions: [userId, marina!.user.id], queueMentions: [queueId] }
  const { id: messageId } = (await note(ticketId, { body: `@${name} ${unique()}`, ...named })).body
  await admin!.get(users.remove, { params: { userId } })
  const elsewhere = { transf: true, queueId, userId: admin!.user.id }
  await admin!.get(tickets.change, { params: { ticketId }, body: elsewhere })
  const edit = (body: object) =>
    admin!.call(privateNotes.edit, { params: { messageId }, body: { body: 'Corrigida', ...body } })
  expect((await edit({})).body).toMatchObject({ body: 'Corrigida', queueMentions: [queueId] })
  const gone = await edit({ mentions: [2_000_000_000] })
  expect([gone.status, gone.body.error]).toEqual([404, 'ERR_NO_USER_FOUND'])
})

/** A ticket of the attendant, in a queue of hers. */
async function ofMarina() {
  const ticketId = await rows.ticket()
  const body = { transf: true, queueId: marina!.user.queues[0]!.id, userId: marina!.user.id }
  await admin!.get(tickets.change, { params: { ticketId }, body })
  return ticketId
}
