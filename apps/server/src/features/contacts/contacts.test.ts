import { companies } from '@balcao/contract/companies.ts'
import { contactChannel, contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { ticketChannel, tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOf } from '../../../testing/connection.ts'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { receiveInbound } from '../../channels/inbound.ts'
import type { Chat } from '../../driver.ts'
import { rowsFrom, sql } from '../../platform/postgres/sql.ts'
import { foldWords } from './contacts.jobs.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let phone: number

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  phone = admin.user.whatsappId!
})
afterAll(() => app.close())

const add = (number: string, name = 'Rita', person = marina) =>
  person.call(contacts.create, { body: { name, number } })
const show = (contactId: number, person = marina) => person.call(contacts.show, { params: { contactId } })
const find = async (searchParam: string, person = marina) =>
  (await person.get(contacts.list, { query: { searchParam } })).contacts
/** A Brazilian mobile with its ninth digit, and the same without. */
const twoSpellings = () => {
  const tail = `8${unique()}0`
  return [`55119${tail}`, `5511${tail}`] as const
}

describe('a new contact', () => {
  test('is answered, listed and heard of in one shape [CONTACT-024, EVENT-009]', async () => {
    const pushes = await admin.subscribe(contactChannel)
    const number = newNumber()
    const { body } = await marina.call(contacts.create, {
      body: { name: 'Rita', number, email: 'Rita@X.test', extraInfo: [{ name: 'CPF', value: '1' }] },
    })
    expect(body).toMatchObject({ name: 'Rita', number, email: 'rita@x.test', ticketsCount: 0 })
    expect(body.extraInfo).toMatchObject([{ name: 'CPF', value: '1' }])
    expect((await show(body.id)).body).toEqual(body)
    expect(await find(number)).toEqual([body])
    const push = await until(() => pushes.find(one => one.action === 'create' && one.contact.id === body.id))
    expect(push.action === 'create' && push.contact).toEqual(body)
  })

  test('with a known number, with or without the ninth digit, is refused and names the field [CONTACT-016, ERR-021]', async () => {
    for (const [first, second] of [twoSpellings(), twoSpellings().toReversed()]) {
      expect((await add(first!)).status).toBe(200)
      const { status, body } = await add(second!, 'Outra')
      expect([status, body.error, body.field]).toEqual([409, 'ERR_DUPLICATED_CONTACT', 'number'])
    }
  })

  test('keeps its number as it was given, without the signs [CONTACT-012]', async () => {
    const [, short] = twoSpellings()
    expect((await add(`+${short.slice(0, 2)} (${short.slice(2, 4)}) ${short.slice(4)}`)).body.number).toBe(
      short,
    )
  })

  test.each([
    ['5,51199E+12', 'In scientific notation'],
    ['5.51199e12', 'In scientific notation'],
    ['00000000', 'Only zeros'],
    ['1234567', 'Too Short!'],
    ['número', 'Too Short!'],
    ['98765-4321', 'Without area code'],
    ['11 98765-4321 / 11 3876-5432', 'More than one number'],
    ['1234567890123456', 'Too Long!'],
  ])('with %s as its number is refused, and says why [CONTACT-010]', async (number, why) => {
    const { status, body } = await add(number)
    expect(status).toBe(400)
    expect(body).toMatchObject({ field: 'number', message: expect.stringContaining(why) })
  })

  test('twice at once is one', async () => {
    const number = newNumber()
    const answers = await Promise.all([add(number), add(number), add(number)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409, 409])
    expect(await find(number)).toHaveLength(1)
  })

  test('whose customer then writes in the other spelling is the same contact', async () => {
    const [long, short] = twoSpellings()
    const { body } = await add(long, 'Rita de Cássia')
    await admin.get(simulator.write, {
      params: { whatsappId: phone },
      body: { number: short, name: 'rita ♥', body: 'Oi' },
    })
    await until(async () => (await show(body.id)).body.ticketsCount === 1)
    expect((await show(body.id)).body).toMatchObject({ name: 'Rita de Cássia', number: long })
    expect((await find(short)).map(({ id }) => id)).toEqual([body.id])
  })
})

describe('changing a contact', () => {
  test('keeps what is not said', async () => {
    const { body } = await add(newNumber())
    const change = { params: { contactId: body.id }, body: { name: 'Rita Lima' } }
    const changed = await marina.get(contacts.change, change)
    expect(changed).toEqual({ ...body, name: 'Rita Lima', updatedAt: changed.updatedAt })
  })

  test('to a number of somebody else is refused; the old number is free afterwards', async () => {
    const [a, b, c] = [newNumber(), newNumber(), newNumber()]
    await add(a)
    const { id: contactId } = (await add(b)).body
    const taken = await marina.call(contacts.change, { params: { contactId }, body: { number: a } })
    expect([taken.status, taken.body.error]).toEqual([409, 'ERR_DUPLICATED_CONTACT'])
    expect((await show(contactId)).body.number).toBe(b)
    await marina.get(contacts.change, { params: { contactId }, body: { number: c } })
    expect((await add(b)).status).toBe(200)
    expect((await add(c)).status).toBe(409)
  })

  test('between the two spellings of its own number is allowed', async () => {
    const [long, short] = twoSpellings()
    const { id: contactId } = (await add(long)).body
    const changed = await marina.get(contacts.change, { params: { contactId }, body: { number: short } })
    expect(changed.number).toBe(short)
    expect((await add(long)).status).toBe(409)
  })
})

test('a number is one of the company’s country, which it may change; where it could be two the caller says which', async () => {
  const make = (number: string, more: object = {}, who = admin) =>
    who.call(contacts.create, { body: { name: 'Rita', number, ...more } })
  const number = async (...given: Parameters<typeof make>) => (await make(...given)).body.number
  expect(await number('(51) 98765-1001')).toBe('5551987651001')
  expect(await number('1187651002')).toBe('551187651002')
  expect(await make('011 98765-1002')).toMatchObject({
    status: 409,
    body: { error: 'ERR_DUPLICATED_CONTACT' },
  })
  expect(await make('51987651003')).toMatchObject({ status: 400, body: { error: 'ERR_NUMBER_AMBIGUOUS' } })
  expect(await number('51987651003', { country: 'PE' })).toBe('51987651003')
  // it is there already as it is: it is not read again
  const [known] = (await admin.get(contacts.list, { query: { searchParam: '51987651003' } })).contacts
  const kept = { params: { contactId: known!.id }, body: { name: 'Rita', number: '51987651003' } }
  expect((await admin.call(contacts.change, kept)).status).toBe(200)
  const imported = { name: 'Rui', number: '51987651003', country: 'BR' }
  expect((await admin.get(contacts.importOne, { body: imported })).number).toBe('5551987651003')

  const params = { companyId: stranger.user.companyId }
  await stranger.get(companies.change, { params, body: { phoneCountry: 'PE' } })
  expect(await number('987 651 003', {}, stranger)).toBe('51987651003')
  expect(await number('987651004')).toBe(undefined)
  const wrong = await stranger.call(companies.change, { params, body: { phoneCountry: 'XX' } })
  expect(wrong).toMatchObject({ status: 400, body: { field: 'phoneCountry' } })
})

test('whoever is being removed is let begin no conversation meanwhile, and nothing of it fails', async () => {
  const { id: contactId } = (await add(newNumber())).body
  const whatsappId = phone
  const { id: ticketId } = await admin.get(tickets.open, { body: { contactId, whatsappId } })
  await admin.get(tickets.change, { params: { ticketId }, body: { status: 'closed' } })
  const calls = await app.database.transaction('', async tx => {
    await tx.execute(sql.raw(`select 1 from tickets where id = ${ticketId} for update`))
    const removing = admin.call(contacts.remove, { params: { contactId } })
    await tx.execute(sql.raw('select pg_sleep(0.5)'))
    const opening = admin.call(tickets.open, { body: { contactId, whatsappId } })
    await tx.execute(sql.raw('select pg_sleep(0.5)'))
    return [removing, opening]
  })
  const [removed, opened] = await Promise.all(calls)
  expect([removed!.status, opened!.status]).toEqual([200, 404])
})

describe('importing', () => {
  test('adds who is new and refreshes who is known, in either spelling', async () => {
    const [long, short] = twoSpellings()
    const row = (number: string, name: string, email?: string) =>
      admin.get(contacts.importOne, { body: { number, name, email } })
    const first = await row(long, 'Rita', 'rita@x.test')
    const second = await row(short, 'Rita Lima')
    expect(second).toMatchObject({ id: first.id, name: 'Rita Lima', email: 'rita@x.test', number: long })
  })

  test('the same row many times at once is one contact', async () => {
    const number = newNumber()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => admin.call(contacts.importOne, { body: { number, name: 'Rita' } })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await find(number)).toHaveLength(1)
  })
})

describe('searching', () => {
  test('looks at name and number, whatever the case and the signs', async () => {
    const number = newNumber()
    const name = `Zulmira ${unique()}%`
    const { body } = await add(number, name)
    for (const term of [name.toUpperCase(), number.slice(4), `+${number}`, '%'])
      expect((await find(term)).map(contact => contact.id)).toEqual([body.id])
    expect(await find(`${name}x`)).toEqual([])
  })

  test('looks at the e-mail too, and not for the digits of a word in the numbers', async () => {
    const email = `loja${unique()}@rua25.test`
    const body = { name: 'Loja da Rua', number: newNumber(), email }
    const { id } = await admin.get(contacts.create, { body })
    expect((await find(email.toUpperCase())).map(contact => contact.id)).toEqual([id])
    expect((await find('rua25.test')).map(contact => contact.id)).toEqual([id])
  })

  test('finds a person by every word of a name in any order, by any way of writing the number, and by any part of a username', async () => {
    const end = String(Math.random()).slice(2, 8)
    const number = `551198${end}1`
    const [one, other] = [`Maria d'Ávila Souza ${unique()}`, `Maria Davila ${unique()}`]
    const { body } = await add(`+${number}`, one)
    await add(newNumber(), other)
    await app.database.script(`update contacts set username = 'mariana${end}' where id = ${body.id}`)
    const way = `8${end}1`.replace(/^(....)/, '$1-')
    for (const term of [
      `souza maria ${one.slice(-4)}`,
      `davila souza`,
      `SOUZA D’AVILA`,
      `ana${end}`,
      `@ana${end}`,
      `@mari`,
    ])
      expect((await find(term)).map(({ id }) => id)).toEqual([body.id])
    for (const term of [
      way,
      `11 9${way}`,
      `(11) ${way}`,
      `+55 11 9${way}`,
      `0xx11 ${way}`,
      `0${number.slice(2)}`,
      `maria ${way}`,
    ])
      expect((await find(term)).map(({ id }) => id)).toEqual([body.id])
    expect((await find('maria davila')).map(({ name }) => name)).toEqual([one, other])
    expect(await find('davila josefa')).toEqual([])
    await app.database.script(`update contacts set words = '' where id = ${body.id}`)
    for (const term of ['davila souza', `@ana${end}`, `11 9${way}`])
      expect((await find(term)).map(({ id }) => id)).toEqual([body.id])
    await app.database.script(`update contacts set name = name where id = ${body.id}`)
  })

  test('counts as many as there are, before and after one goes', async () => {
    const count = async (who = admin) => (await who.get(contacts.list, { query: {} })).count
    const [before, elsewhere] = [await count(), await count(stranger)]
    const { body } = await add(newNumber())
    expect(await count()).toBe(before + 1)
    await admin.get(contacts.remove, { params: { contactId: body.id } })
    expect([await count(), await count(stranger)]).toEqual([before, elsewhere])
  })

  test('goes page by page, by name, and counts all [CONTACT-019, CONST-004, OP-31]', async () => {
    const family = `Família ${unique()}`
    for (let i = 0; i < 23; i++) await add(newNumber(), `${family} ${String(i).padStart(2, '0')}`)
    const page = (pageNumber: number) =>
      marina.get(contacts.list, { query: { searchParam: family, pageNumber } })
    const [one, two] = [await page(1), await page(2)]
    expect([one.contacts.length, one.hasMore, one.count]).toEqual([20, true, 23])
    expect([two.contacts.length, two.hasMore, two.count]).toEqual([3, false, 23])
    const names = [...one.contacts, ...two.contacts].map(contact => contact.name)
    expect(names).toEqual(Array.from({ length: 23 }, (_, i) => `${family} ${String(i).padStart(2, '0')}`))
  })
})

describe('another company', () => {
  test('neither sees nor changes it, hears nothing, and may have the same number', async () => {
    const pushes = await stranger.subscribe(contactChannel)
    const number = newNumber()
    const { body } = await add(number)
    expect((await show(body.id, stranger)).body.error).toBe('ERR_NO_CONTACT_FOUND')
    const change = { params: { contactId: body.id }, body: { name: 'Roubada' } }
    expect((await stranger.call(contacts.change, change)).body.error).toBe('ERR_NO_CONTACT_FOUND')
    expect(await find(number, stranger)).toEqual([])
    expect(pushes).toEqual([])
    expect((await add(number, 'Rita', stranger)).status).toBe(200)
    expect((await show(body.id)).body.name).toBe('Rita')
  })
})

describe('a LID and a number', () => {
  const hear = (chat: Chat, body: string, name = 'Rita') =>
    receiveInbound(connectionOf(app.platform, { companyId: admin.user.companyId, whatsappId: phone }), [
      [
        {
          kind: 'message',
          chat,
          externalId: `LID${unique()}`,
          fromMe: false,
          name,
          body,
          mediaType: null,
          at: new Date().toISOString(),
        },
      ],
    ])
  const same = (lid: string, number: string): Chat => ({
    kind: 'lid',
    value: lid,
    also: { kind: 'phone', value: number },
  })
  const newLid = () => `7700${unique()}00`
  const living = async (contactId: number) =>
    (await admin.get(tickets.list, { query: { searchContactId: contactId, tab: 'search' } })).tickets
  const textsOf = async (ticketId: number) =>
    (await admin.get(messages.list, { params: { ticketId } })).messages.map(message => message.body)
  const withLid = async (lid: string) =>
    (await admin.get(tickets.list, { query: { showAll: true, status: 'pending' } })).tickets.filter(
      ticket => ticket.contact.lid === lid,
    )

  test('that arrive together are one contact, found under either afterwards', async () => {
    const [lid, number] = [newLid(), newNumber()]
    await hear(same(lid, number), 'um')
    await hear({ kind: 'lid', value: lid }, 'dois')
    await hear({ kind: 'phone', value: number }, 'três')
    const [contact, ...others] = await find(number)
    expect([contact, others]).toMatchObject([{ number, lid, ticketsCount: 1 }, []])
    expect(await textsOf((await living(contact!.id))[0]!.id)).toEqual(['um', 'dois', 'três'])
  })

  test('alone is never shown as a number', async () => {
    const lid = newLid()
    await hear({ kind: 'lid', value: lid }, 'quem sou eu?', '')
    const [ticket] = await withLid(lid)
    expect(ticket!.contact).toMatchObject({ number: '', lid, name: 'WhatsApp' })
  })

  test('alone is called by its username, until a name is known', async () => {
    const lid = newLid()
    const username = `ana.${lid}`
    await hear({ kind: 'lid', value: lid, username }, 'oi', '')
    const called = async () => (await withLid(lid))[0]!.contact
    expect(await called()).toMatchObject({ number: '', name: `@${username}`, username })
    expect(await find(username)).toHaveLength(1)
    await hear({ kind: 'lid', value: lid, username: `${username}2` }, 'sou eu', '')
    expect(await called()).toMatchObject({ name: `@${username}2`, username: `${username}2` })
    await hear({ kind: 'lid', value: lid }, 'Ana', 'Ana')
    expect(await called()).toMatchObject({ name: 'Ana', username: `${username}2` })
  })

  test('learned later give the contact its number', async () => {
    const [lid, number] = [newLid(), newNumber()]
    await hear({ kind: 'lid', value: lid }, 'um')
    await hear(same(lid, number), 'dois')
    const [contact] = await find(number)
    expect(contact).toMatchObject({ number, lid, ticketsCount: 1 })
  })

  test.each(['the LID wrote first', 'the number wrote first'])(
    'that were two contacts become one, nothing lost (%s) [EVENT-009]',
    async which => {
      const ticketPushes = await admin.subscribe(ticketChannel)
      const contactPushes = await admin.subscribe(contactChannel)
      const [lid, number] = [newLid(), newNumber()]
      const apart: [Chat, string][] = [
        [{ kind: 'lid', value: lid }, 'pelo lid'],
        [{ kind: 'phone', value: number }, 'pelo número'],
      ]
      if (which === 'the number wrote first') apart.reverse()
      for (const [chat, body] of apart) await hear(chat, body)
      const [fromNumber] = await find(number)
      const former = [(await withLid(lid))[0]!.contactId, fromNumber!.id].toSorted((a, b) => a - b)
      await hear(same(lid, number), 'juntos')

      const [contact, ...others] = await find(number)
      expect([contact, others]).toMatchObject([{ id: former[0], number, lid, ticketsCount: 2 }, []])
      expect((await show(former[1]!)).body.error).toBe('ERR_NO_CONTACT_FOUND')
      await until(() => contactPushes.find(one => one.action === 'delete' && one.contactId === former[1]))

      const both = await living(contact!.id)
      expect(both.map(ticket => ticket.status).toSorted()).toEqual(['closed', 'pending'])
      const open = both.find(ticket => ticket.status === 'pending')!
      expect(await textsOf(open.id)).toEqual([...apart.map(([, body]) => body), 'juntos'])
      const closed = both.find(ticket => ticket.status === 'closed')!
      const push = await until(() =>
        ticketPushes.find(
          one => one.action === 'update' && one.ticket.id === closed.id && one.ticket.status === 'closed',
        ),
      )
      // what is one's own of a ticket is in no push of it
      const shared = { ...closed, pinned: undefined, following: undefined }
      expect(push.action === 'update' && push.ticket).toEqual(shared)
      expect((await show(contact!.id)).body.ticketsCount).toBe(2)
    },
  )

  test('of an open conversation keep it open and in its attendant’s hands', async () => {
    const [lid, number] = [newLid(), newNumber()]
    await hear({ kind: 'lid', value: lid }, 'pelo lid')
    await hear({ kind: 'phone', value: number }, 'pelo número')
    const [contact] = await find(number)
    const [ticket] = await living(contact!.id)
    const queueId = marina.user.queues[0]!.id
    await marina.get(tickets.change, {
      params: { ticketId: ticket!.id },
      body: { status: 'open', queueId },
    })
    await hear(same(lid, number), 'juntos')
    const kept = await marina.get(tickets.show, { params: { ticketId: ticket!.id } })
    expect(kept).toMatchObject({ status: 'open', userId: marina.user.id, unreadMessages: 2 })
    expect(await textsOf(kept.id)).toEqual(['pelo lid', 'pelo número', 'juntos'])
  })

  test('leave with a corrected number: answers go to the new one, and the former person is somebody else', async () => {
    const [lid, wrong, right] = [newLid(), newNumber(), newNumber()]
    await hear(same(lid, wrong), 'engano')
    const [contact] = await find(wrong)
    const [ticket] = await living(contact!.id)
    const opened = { status: 'open' as const, queueId: marina.user.queues[0]!.id }
    await marina.get(tickets.change, { params: { ticketId: ticket!.id }, body: opened })
    const send = (body: string) =>
      marina.get(messages.send, {
        params: { ticketId: ticket!.id, companyId: admin.user.companyId },
        body: { body },
      })
    const shown = (number: string) =>
      admin
        .get(simulator.chat, { params: { whatsappId: phone, number } })
        .then(all => all.map(one => one.body))
    const { id: messageId } = await send('por engano')
    // a LID is written to before a number
    await until(async () => (await shown(lid)).includes('por engano'))
    const changed = await marina.get(contacts.change, {
      params: { contactId: contact!.id },
      body: { number: right },
    })
    expect(changed).toMatchObject({ id: contact!.id, number: right, lid: '', ticketsCount: 1 })
    await send('é com você agora')
    await until(async () => (await shown(right)).includes('é com você agora'))
    for (const former of [lid, wrong]) expect(await shown(former)).not.toContain('é com você agora')
    // a message sent to the previous number cannot be deleted at the new one
    const params = { messageId, channel: 'whatsapp' }
    expect((await marina.call(messages.remove, { params })).body.error).toBe('ERR_DELETE_WAPP_MSG')
    const edited = await marina.call(messages.edit, { params: { messageId }, body: { body: 'outro' } })
    expect(edited.body.error).toBe('ERR_EDIT_WAPP_MSG')

    await hear({ kind: 'lid', value: lid }, 'ainda sou eu')
    await hear(same(lid, wrong), 'o de antes')
    const [former, ...others] = await find(wrong)
    expect(others).toEqual([])
    expect(former).toMatchObject({ number: wrong, lid, ticketsCount: 1 })
    expect(former!.id).not.toBe(contact!.id)
    expect(await textsOf((await living(contact!.id))[0]!.id)).toEqual([
      'engano',
      'por engano',
      'é com você agora',
    ])
    expect(await textsOf((await living(former!.id))[0]!.id)).toEqual(['ainda sou eu', 'o de antes'])
  })

  test('stay together when the number is only spelt otherwise', async () => {
    const [lid, [long, short]] = [newLid(), twoSpellings()]
    await hear(same(lid, long), 'oi')
    const [contact] = await find(long)
    const change = { params: { contactId: contact!.id }, body: { number: short } }
    expect(await marina.get(contacts.change, change)).toMatchObject({ number: short, lid })
  })

  test('of a group are not typed in: its form may send them unchanged, another number is refused', async () => {
    const value = `5511999${unique()}-1${unique()}`
    await hear({ kind: 'group', value }, 'bom dia, grupo', 'Grupo')
    const group = (await living((await find('Grupo')).find(one => one.number === value)!.id))[0]!.contactId
    const change = (number: string) =>
      marina.call(contacts.change, { params: { contactId: group }, body: { name: 'Grupo novo', number } })
    expect((await change(value)).body).toMatchObject({ name: 'Grupo novo', number: value })
    const { status, body } = await change(newNumber())
    expect([status, body.error, body.field]).toEqual([400, 'ERR_BAD_REQUEST', 'number'])
    expect((await show(group)).body.number).toBe(value)
    // a group is not a person
    const told = await admin.call(contacts.data, { params: { contactId: group } })
    expect([told.status, told.body.error, told.body.field]).toEqual([400, 'ERR_BAD_REQUEST', 'contactId'])
  })
})

test('people of an earlier version are found, listed and paged as before while their words are not folded yet', async () => {
  const [name, number] = [`Conceição ${unique()}`, newNumber()]
  await add(number, name)
  const plain = name.replace('ção', 'cao').toLowerCase()
  const [contact] = await find(plain)
  expect(contact).toMatchObject({ name, number })
  await app.database.script(`update contacts set words = '' where id = ${contact!.id}`)
  for (const words of [plain, number]) expect(await find(words)).toEqual([contact])
  expect((await marina.get(contacts.list, { query: {} })).contacts).toContainEqual(contact)
  expect((await stranger.get(contacts.list, { query: { searchParam: plain } })).contacts).toEqual([])
  await foldWords.run(app.platform.scopes, app.platform.config, app.platform)
  expect(await find(plain)).toEqual([contact])
  const [row] = await app.platform.scopes
    .platform()
    .transaction(tx =>
      rowsFrom<{ words: string }>(tx, sql`select words from contacts where id = ${contact!.id}`),
    )
  expect(row!.words).toBe(`${plain}\n${number}`)
})
