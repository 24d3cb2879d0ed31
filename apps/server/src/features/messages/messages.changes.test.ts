import { randomUUID } from 'node:crypto'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber } from '../../../testing/rows.ts'
import { picture } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { Chat, InboundEvent } from '../../driver.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'

let app: TestApp
let admin: Person
let whatsappId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => app.close())

const receive = (...payload: InboundEvent[]) =>
  receiveInbound(connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId }), [payload])
const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 12, 0, seconds)).toISOString()
const rows = (statement: string) =>
  app.database.transaction('', tx => rowsFrom<Record<string, unknown>>(tx, sql.raw(statement)))

function somebody() {
  const chat: Chat = { kind: 'phone', value: newNumber() }
  const target = { externalId: `N${randomUUID()}`, fromMe: false }
  const common = { chat, fromMe: false, name: 'Rita' }
  const message: InboundEvent = {
    ...common,
    kind: 'message',
    externalId: target.externalId,
    body: 'primeiro',
    mediaType: null,
    at: at(0),
  }
  const edit = (body: string, second: number): InboundEvent => ({
    ...common,
    kind: 'edit',
    externalId: `E${body}${target.externalId}`,
    target,
    body,
    at: at(second),
  })
  const react = (emoji: string, second: number): InboundEvent => ({
    ...common,
    kind: 'reaction',
    target,
    emoji,
    at: at(second),
  })
  const erase: InboundEvent = { kind: 'delete', chat, fromMe: false, target, at: at(9) }
  const stored = () => rows(`select * from messages where external_id = '${target.externalId}'`)
  const ticketsOf = () =>
    rows(`select t.* from tickets t join contacts c on c.id = t.contact_id where c.number = '${chat.value}'`)
  return { chat, target, message, edit, react, erase, stored, ticketsOf }
}

describe('news of a message', () => {
  test('ends the same in whatever order it comes, and however often', async () => {
    const ends: unknown[] = []
    for (const order of [
      [0, 1, 2, 3],
      [2, 1, 0, 3],
      [1, 3, 0, 2],
      [3, 2, 1, 0],
    ]) {
      const { message, edit, stored, ticketsOf } = somebody()
      const payload = [message, edit('segundo', 1), edit('terceiro', 2), edit('segundo', 1)]
      for (const place of order) await receive(payload[place]!)
      for (const place of order) await receive(payload[place]!)
      const [row, ...more] = await stored()
      ends.push([row!.body, row!.media_type, more.length, (await ticketsOf()).length])
    }
    expect(new Set(ends.map(end => JSON.stringify(end)))).toEqual(
      new Set([JSON.stringify(['terceiro', null, 0, 1])]),
    )
  })

  test('two changes of one second both arrive, in order; the first one told again changes nothing', async () => {
    const { message, target, edit, stored } = somebody()
    await receive(message, edit('segundo', 1), edit('terceiro', 1))
    expect((await stored())[0]).toMatchObject({ body: 'terceiro' })
    await receive(edit('segundo', 1))
    expect((await stored())[0]).toMatchObject({ body: 'terceiro' })
    const noted = await rows(
      `select heard from inbound_events where key like 'e %${target.externalId}%' order by id`,
    )
    expect(noted.map(({ heard }) => JSON.parse(heard as string).body)).toEqual(['segundo', 'terceiro'])
  })

  test('a newer reaction counts though an older one comes after it', async () => {
    const { message, react, stored } = somebody()
    await receive(message, react('', 5), react('❤️', 3))
    const [row] = await stored()
    const { messages: shown } = await admin.get(messages.list, {
      params: { ticketId: Number(row!.ticket_id) },
    })
    expect(shown[0]!.reactions).toEqual([])
    await receive(react('👍', 6), react('👍', 6))
    expect(((await stored())[0]!.reactions as { emoji: string }[]).map(({ emoji }) => emoji)).toEqual(['👍'])
  })

  test('a deletion that overtakes its message deletes it when it comes', async () => {
    const { message, erase, stored } = somebody()
    await receive(erase)
    expect(await stored()).toEqual([])
    await receive(message)
    expect((await stored())[0]).toMatchObject({ is_deleted: true, body: '' })
  })

  test('of what is not known here is kept, but opens no ticket and counts as nothing unread', async () => {
    const { edit, react, erase, stored, ticketsOf } = somebody()
    await receive(edit('mudado', 1), react('👍', 2), react('👍', 2))
    expect((await stored())[0]).toMatchObject({ media_type: 'editedMessage', body: 'mudado' })
    await receive(erase)
    expect((await stored())[0]).toMatchObject({ is_deleted: true, body: '' })
    const found = await ticketsOf()
    expect(found.map(({ status, unread_messages }) => [status, unread_messages])).toEqual([['closed', 0]])
  })

  test('by somebody else changes nothing', async () => {
    const { message, target, stored } = somebody()
    const { chat } = somebody()
    await receive(message)
    await receive({ kind: 'delete', chat, fromMe: false, target, at: at(2) })
    expect((await stored())[0]).toMatchObject({ is_deleted: false })
  })

  test('in a group says who wrote and who reacted, one a member', async () => {
    const chat: Chat = { kind: 'group', value: '120363000000000001' }
    const ana = { kind: 'lid' as const, value: '111222333', name: 'Ana' }
    const rui = { kind: 'phone' as const, value: newNumber(), name: 'Rui' }
    const target = { externalId: `G${randomUUID()}`, fromMe: false }
    const common = { chat, fromMe: false, name: 'Família' }
    await receive({
      ...common,
      kind: 'message',
      author: ana,
      externalId: target.externalId,
      body: 'oi',
      mediaType: null,
      at: at(0),
    })
    for (const author of [ana, rui, ana])
      await receive({
        ...common,
        kind: 'reaction',
        author,
        target,
        emoji: '🎉',
        at: at(author === rui ? 3 : 4),
      })
    const [row] = await rows(`select * from messages where external_id = '${target.externalId}'`)
    const { messages: shown } = await admin.get(messages.list, {
      params: { ticketId: Number(row!.ticket_id) },
    })
    expect(shown[0]).toMatchObject({ author: { name: 'Ana', number: '' }, contact: { name: 'Família' } })
    expect(shown[0]!.reactions.map(({ name }) => name)).toEqual(['Ana', 'Rui'])
    const edited = async (author: Chat, body: string, second: number) => {
      await receive({ ...common, kind: 'edit', target: { ...target, author }, body, at: at(second) })
      return (await rows(`select body from messages where id = '${row!.id}'`))[0]!.body
    }
    // whose program names another member's message changes nothing of it
    expect(await edited({ kind: 'lid', value: '444555666' }, 'outra coisa', 5)).toBe('oi')
    expect(await edited({ kind: 'lid', value: ana.value }, 'oi, gente', 6)).toBe('oi, gente')
  })

  test('until when the official API lets the company answer is on the ticket and only rises', async () => {
    const { chat, message, ticketsOf } = somebody()
    await receive({ ...message, repliesUntil: at(50) } as InboundEvent)
    await receive({ ...message, chat, externalId: randomUUID(), repliesUntil: at(20) } as InboundEvent)
    const [{ id }] = (await ticketsOf()) as [{ id: number }]
    const ticket = await admin.get(tickets.show, { params: { ticketId: id } })
    expect(ticket.repliesUntil).toBe(at(50))
  })
})

describe('a file', () => {
  const file = {
    name: 'foto.png',
    type: 'image/png',
    size: 9,
    seconds: null,
    width: 4,
    height: 3,
    isVoice: false,
  }
  const withFile = (source: string) => {
    const { message, ...rest } = somebody()
    return { ...rest, message: { ...message, mediaType: 'image', file: { ...file, source } } as InboundEvent }
  }
  const keptFile = async () => (await app.platform.files.put(admin.user.companyId, picture().bytes, file)).key

  test('whose source is gone is shown as failed, and may be asked for again', async () => {
    const source = `${'a'.repeat(32)}.png`
    const { message, stored } = withFile(source)
    await receive(message)
    await app.platform.signals.notify(`media:${whatsappId}`)
    const [row] = await until(async () => {
      const found = await stored()
      return (found[0]?.media as { state: string } | null)?.state === 'failed' && found
    })
    expect(String(row!.media_source)).not.toContain(source)
    const messageId = String(row!.id)
    const again = await admin.get(messages.fetchMedia, { params: { messageId } })
    expect(again.media).toMatchObject({ state: 'loading', width: 4 })
    const stranger = await app.as('admin@outra.test')
    expect((await stranger.call(messages.fetchMedia, { params: { messageId } })).status).toBe(404)
  })

  test('goes with its ticket, and with its contact', async () => {
    const shown = async (stored: () => Promise<Record<string, unknown>[]>) => {
      await app.platform.signals.notify(`media:${whatsappId}`)
      return until(async () => (await stored())[0]?.media_url as string | undefined)
    }
    const first = withFile(await keptFile())
    await receive(first.message)
    const url = await shown(first.stored)
    expect((await admin.fetch(url)).status).toBe(200)
    const [ticket] = await first.ticketsOf()
    await admin.get(tickets.remove, { params: { ticketId: Number(ticket!.id) } })
    await until(async () => (await admin.fetch(url)).status === 404, 20_000)

    const second = withFile(await keptFile())
    await receive(second.message)
    const other = await shown(second.stored)
    const [theirs] = await second.ticketsOf()
    await admin.get(contacts.remove, { params: { contactId: Number(theirs!.contact_id) } })
    await until(async () => (await admin.fetch(other)).status === 404, 20_000)
  })

  test('is in the journal sealed, so that nobody who reads it can fetch it', async () => {
    const source = await keptFile()
    const { message, target } = withFile(source)
    await receive(message)
    const [row] = await rows(`select heard from inbound_events where key like '%${target.externalId}%'`)
    expect(String(row!.heard)).toContain('foto.png')
    expect(String(row!.heard)).not.toContain(source)
  })
})

describe('what the network shows of a person', () => {
  const kept = async () =>
    (
      await app.platform.files.put(admin.user.companyId, picture().bytes, {
        name: 'perfil.png',
        type: 'image/png',
      })
    ).key
  const file = {
    name: 'perfil.png',
    type: 'image/png',
    size: 0,
    seconds: null,
    width: null,
    height: null,
    isVoice: false,
  }

  test('a picture is fetched, replaced and taken away; a name of the network follows it until a user gives another', async () => {
    const { chat, message, ticketsOf } = somebody()
    await receive({ ...message, name: '' } as InboundEvent)
    const [ticket] = await ticketsOf()
    const person = () => admin.get(contacts.show, { params: { contactId: Number(ticket!.contact_id) } })
    const report = async (second: number, more: object) => {
      await receive({ kind: 'profile', chat, at: at(second), ...more } as InboundEvent)
      await app.platform.signals.notify(`outbox:${whatsappId}`)
    }
    await report(1, { name: 'Rita Lima', picture: { ...file, source: await kept() } })
    const first = await until(async () => (await person()).profilePicUrl)
    expect((await person()).name).toBe('Rita Lima')
    expect((await admin.fetch(first)).status).toBe(200)
    await report(2, { name: 'Outra', picture: { ...file, source: await kept() } })
    await until(async () => (await person()).profilePicUrl !== first)
    expect((await person()).name).toBe('Outra')
    await rows(`update contacts set name = 'Rita do bairro' where id = ${Number(ticket!.contact_id)}`)
    await until(async () => (await admin.fetch(first)).status === 404, 20_000)
    await report(3, { name: 'Terceira', picture: null })
    await until(async () => (await person()).profilePicUrl === '')
    expect((await person()).name).toBe('Rita do bairro')
  })

  test('of somebody unknown makes nobody', async () => {
    const chat: Chat = { kind: 'phone', value: newNumber() }
    await receive({ kind: 'profile', chat, name: 'Ninguém', at: at(1) })
    expect(await rows(`select id from contacts where number = '${chat.value}'`)).toEqual([])
  })
})
