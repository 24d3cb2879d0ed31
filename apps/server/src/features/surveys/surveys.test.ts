import { closingReasons } from '@balcao/contract/closingReasons.ts'
import { connections } from '@balcao/contract/connections.ts'
import { messages } from '@balcao/contract/messages.ts'
import { queues } from '@balcao/contract/queues.ts'
import { reports } from '@balcao/contract/reports.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { surveyChannel, surveys } from '@balcao/contract/surveys.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { receiveMessage } from '../messages/inbound/inbound.actions.ts'
import { resolve } from '../tickets/moves/closing.actions.ts'
import { reopenForOwner } from '../tickets/moves/moves.actions.ts'
import { changeSurvey } from './surveys.actions.ts'
import { askSurvey } from './surveys.ask.actions.ts'
import { dueSurveys } from './surveys.queries.ts'

let app: TestApp
let admin: Person
let marina: Person
let stranger: Person
let whatsappId: number
let queueId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  whatsappId = admin.user.whatsappId!
  queueId = marina.user.queues[0]!.id
  const connection = { greetingMessage: 'Olá!', farewellMessage: 'Tchau da loja', queueIds: [queueId] }
  await admin.get(connections.change, { params: { whatsappId }, body: connection })
  await admin.get(surveys.change, { body: { ...asking, everyHours: 1 } })
})
afterAll(() => app.close())

const asking = {
  enabled: true,
  question: 'Que nota você dá?',
  thanks: 'Obrigado! Quer comentar?',
  queueIds: [],
}
const ours = () => app.platform.scopes.inCompany(admin.user.companyId)
const resolving = (ticketId: number, more: object = {}, who = marina) =>
  who.call(tickets.change, { params: { ticketId }, body: { status: 'closed', ...more } })

function customer() {
  const number = newNumber()
  const all = async () =>
    (await admin.get(tickets.list, { query: { tab: 'search', showAll: true, searchParam: number } })).tickets
  const chat = () => admin.get(simulator.chat, { params: { whatsappId, number } })
  return {
    number,
    all,
    write: (body: string, more: object = {}) =>
      ours().transaction(tx =>
        receiveMessage(tx, whatsappId, {
          ...{ kind: 'message', chat: { kind: 'phone', value: number }, name: 'Ana', mediaType: null, body },
          ...{ externalId: unique(), fromMe: false, at: new Date().toISOString(), ...more },
        }),
      ),
    received: async () => (await chat()).filter(one => one.fromMe).map(one => one.body),
  }
}

/** A customer whose ticket Marina attended and resolved. */
async function served(more: object = {}) {
  const ana = customer()
  const id = (await ana.write('Oi'))!
  await marina.get(tickets.change, { params: { ticketId: id }, body: { status: 'open' } })
  expect((await resolving(id, more)).status).toBe(200)
  return { ...ana, id }
}

const surveyOf = async (ticketId: number) => {
  const [row] = await ours().transaction(tx =>
    rowsFrom<{ id: number; later: boolean; score: number | null }>(
      tx.sql,
      tag`select id, due_at > now() + interval '30 seconds' as later, score from surveys where ticket_id = ${ticketId}`,
    ),
  )
  return row ?? null
}

/** The half minute in which a closing can be taken back is over. */
const pass = (ticketId: number) =>
  ours().transaction(tx =>
    tx.sql.execute(tag`update surveys set due_at = now() where ticket_id = ${ticketId}`),
  )

async function asked(more: object = {}) {
  const ana = await served(more)
  await pass(ana.id)
  await until(async () => (await ana.received()).some(body => body.startsWith('Que nota')))
  return ana
}

const answers = (who = admin, query: object = {}) => who.get(surveys.answers, { query })

test('after the half minute the customer is asked once; the score and the comment join the closed ticket and open none', async () => {
  const pushes = await admin.subscribe(surveyChannel)
  const ana = await served()
  expect(await surveyOf(ana.id)).toMatchObject({ later: true })
  await pass(ana.id)
  const text = 'Que nota você dá?\n\n*5* - Ótimo\n*4* - Bom\n*3* - Regular\n*2* - Ruim\n*1* - Péssimo'
  await until(async () => (await ana.received()).includes(text))
  expect(await ana.write('quatro?')).not.toBe(ana.id)

  const bia = await asked()
  expect(await bia.write('4️⃣')).toBe(bia.id)
  expect(await bia.write('2')).toBe(bia.id)
  expect(await bia.write('Demorou, mas resolveu.')).toBe(bia.id)
  expect(await bia.all()).toMatchObject([{ status: 'closed', unreadMessages: 0 }])
  await until(async () => (await bia.received()).includes('Obrigado! Quer comentar?'))
  await until(() => pushes.length >= 2)

  const { answers: given, count, average, distribution, byUser } = await answers()
  expect(given[0]).toMatchObject({
    ...{ ticketId: bia.id, userId: marina.user.id, queueId, score: 4, comment: 'Demorou, mas resolveu.' },
    contact: { name: 'Ana' },
  })
  expect([count, average, distribution]).toEqual([1, 4, [0, 0, 0, 1, 0]])
  expect(byUser).toEqual([{ id: marina.user.id, name: marina.user.name, count: 1, average: 4 }])
  expect((await answers(stranger)).count).toBe(0)
  // what comes after the comment opens as usual
  expect(await bia.write('Outra coisa')).not.toBe(bia.id)
})

test('a word, stars or a tap is the score; a question after it opens a ticket', async () => {
  const ana = await asked()
  expect(await ana.write('ótimo!')).toBe(ana.id)
  expect(await ana.write('Vocês abrem no sábado?')).not.toBe(ana.id)
  const bia = await asked()
  const { id } = (await surveyOf(bia.id))!
  const opened = (await bia.write('Preciso de outra nota fiscal'))!
  expect(opened).not.toBe(bia.id)
  // a digit is the menu's of the new ticket; a tap is the survey's
  expect(await bia.write('3')).toBe(opened)
  expect(await bia.write('3 - Regular', { tapId: `survey:${id}:3` })).toBe(bia.id)
  expect(await surveyOf(bia.id)).toMatchObject({ score: 3 })
})

test('a score that comes too late, or from another connection, opens a ticket', async () => {
  const ana = await asked()
  await ours().transaction(tx =>
    tx.sql.execute(tag`update surveys set answer_until = now() where ticket_id = ${ana.id}`),
  )
  expect(await ana.write('5')).not.toBe(ana.id)
  expect(await surveyOf(ana.id)).toMatchObject({ score: null })
})

test('one at a time is asked of a contact, whoever asks; not after an undo, a new word, spam, a bot or many at once', async () => {
  const ana = await served()
  await marina.get(tickets.undo, { params: { ticketId: ana.id } })
  await pass(ana.id)
  await until(async () => (await surveyOf(ana.id)) === null)
  await resolving(ana.id)
  await pass(ana.id)
  await until(async () => (await ana.received()).some(body => body.startsWith('Que nota')))
  // two workers at one row, and another ticket within the hours
  const { id: surveyId } = (await surveyOf(ana.id))!
  const [again, twice] = await Promise.all([askSurvey(ours(), surveyId), askSurvey(ours(), surveyId)])
  expect([again, twice]).toEqual([false, false])
  const next = (await ana.write('Oi de novo'))!
  await marina.get(tickets.change, { params: { ticketId: next }, body: { status: 'open' } })
  await resolving(next)
  await pass(next)
  await until(async () => (await surveyOf(next)) === null)
  expect((await ana.received()).filter(body => body.startsWith('Que nota'))).toHaveLength(1)

  const { id: spam } = await admin.get(closingReasons.create, { body: { name: 'Spam', spam: true } })
  const [bia, caio, dora] = [await served({ closingReasonId: spam }), customer(), customer()]
  const alone = (await caio.write('Oi'))!
  // a note is no answer
  await admin.get(messages.send, {
    params: { ticketId: alone, companyId: admin.user.companyId },
    body: { body: 'O robô resolve', isPrivate: true },
  })
  await ours().transaction(tx => resolve(tx, alone))
  const many = (await dora.write('Oi'))!
  await admin.get(tickets.resolveMany, { body: { Tickets: [many] } })
  for (const ticketId of [bia.id, alone, many]) expect(await surveyOf(ticketId)).toBeNull()
  expect(await bia.received()).not.toContain('Tchau da loja')
})

test('of two surveys of one contact at the same time one is asked', async () => {
  const ana = await served()
  const second = (await ana.write('E mais uma coisa'))!
  await marina.get(tickets.change, { params: { ticketId: second }, body: { status: 'open' } })
  await resolving(second)
  const ids = await Promise.all([ana.id, second].map(async id => (await surveyOf(id))!.id))
  await ours().transaction(tx =>
    tx.sql.execute(tag`update surveys set due_at = now() where id = any(${`{${ids}}`}::int[])`),
  )
  await Promise.all([...ids, ...ids].map(id => askSurvey(ours(), id)))
  const questions = async () => (await ana.received()).filter(body => body.startsWith('Que nota')).length
  await until(async () => (await questions()) > 0)
  const left = await Promise.all([ana.id, second].map(surveyOf))
  expect(left.filter(Boolean)).toHaveLength(1)
  expect(await questions()).toBe(1)
})

/** Until it is done, or waits for what another transaction holds. */
async function doneOrWaiting(doing: Promise<unknown>) {
  let isDone = false
  const settle = () => {
    isDone = true
  }
  doing.then(settle, settle)
  const blocked = tag`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    async () => isDone || (await app.database.transaction('', sql => rowsFrom(sql, blocked))).length > 0,
  )
}

test('a survey waits for its connection, until it is too late for it', async () => {
  const ana = await served()
  const { id: surveyId } = (await surveyOf(ana.id))!
  const stateOf = (status: string) =>
    app.database.script(`update whatsapps set status = '${status}' where id = ${whatsappId}`)
  const due = () => app.platform.scopes.platform().transaction(sql => dueSurveys(sql, 10))
  await stateOf('OPENING')
  await pass(ana.id)
  expect(await due()).toEqual([])
  expect(await askSurvey(ours(), surveyId)).toBe(false)
  await app.database.script(`update surveys set due_at = now() - interval '25 hours' where id = ${surveyId}`)
  await until(async () => (await surveyOf(ana.id)) === null)
  const bia = await served()
  await pass(bia.id)
  expect(await surveyOf(bia.id)).not.toBeNull()
  await stateOf('CONNECTED')
  await until(async () => (await bia.received()).some(body => body.startsWith('Que nota')))
  expect((await ana.received()).some(body => body.startsWith('Que nota'))).toBe(false)
})

test('a ticket that is reopened at the moment of its survey is not asked about', async () => {
  const ana = await served()
  const { id: surveyId } = (await surveyOf(ana.id))!
  let asking: Promise<unknown> | undefined
  await ours().transaction(async tx => {
    await reopenForOwner(tx, ana.id)
    await pass(ana.id)
    asking = askSurvey(ours(), surveyId)
    await doneOrWaiting(asking)
  })
  await asking
  await until(async () => (await surveyOf(ana.id)) === null)
  expect((await ana.received()).some(body => body.startsWith('Que nota'))).toBe(false)
})

test('of two changes of the settings at once each keeps what the other changed', async () => {
  let other: Promise<unknown> | undefined
  await ours().transaction(async tx => {
    await changeSurvey(tx, { answerWithinHours: 30 })
    other = changeSurvey(ours(), { commentMinutes: 12 })
    await doneOrWaiting(other)
  })
  await other
  expect(await admin.get(surveys.show)).toMatchObject({ answerWithinHours: 30, commentMinutes: 12 })
})

test('a score whose content comes after its placeholder is the survey’s, and the ticket that opened for it is closed', async () => {
  const ana = await asked()
  const externalId = unique()
  const opened = await ana.write('', { externalId, mediaType: 'ciphertext' })
  expect(opened).not.toBe(ana.id)
  await ana.write('5', { externalId })
  expect(await surveyOf(ana.id)).toMatchObject({ score: 5 })
  expect((await ana.all()).map(({ status }) => status)).toEqual(['closed', 'closed'])
  expect((await ana.received()).filter(body => body.startsWith('Olá'))).toHaveLength(1)

  // beside other messages it is a text like theirs
  const bia = await asked()
  const late = unique()
  const alone = await bia.write('', { externalId: late, mediaType: 'ciphertext' })
  expect(await bia.write('Oi?')).toBe(alone)
  await bia.write('4', { externalId: late })
  expect(await surveyOf(bia.id)).toMatchObject({ score: null })
})

test('where a queue requires a reason no user resolves without one; the history, the ticket and its report say it', async () => {
  const { id: own } = await admin.get(closingReasons.create, {
    body: { name: 'Resolvido', queueIds: [queueId] },
  })
  const { id: other } = await admin.get(queues.create, {
    body: { name: `Setor ${unique()}`, color: '#0a1b2c' },
  })
  const { id: foreign } = await admin.get(closingReasons.create, {
    body: { name: 'Alheio', queueIds: [other] },
  })
  const theirs = await stranger.get(closingReasons.create, { body: { name: 'Deles' } })
  const params = { queueId }
  await admin.get(closingReasons.changeQueue, {
    params,
    body: { reasonRequired: true, farewell: 'Tchau da fila' },
  })
  const { closingReasons: choices, reasonRequired } = await marina.get(closingReasons.choices, {
    query: params,
  })
  expect([choices.map(({ name }) => name), reasonRequired]).toEqual([['Resolvido', 'Spam'], true])

  const ana = customer()
  const id = (await ana.write('Oi'))!
  await marina.get(tickets.change, { params: { ticketId: id }, body: { status: 'open' } })
  const codes = []
  for (const closingReasonId of [undefined, foreign, theirs.id]) {
    const { status, body } = await resolving(id, { closingReasonId })
    codes.push([status, body.error])
  }
  expect(codes).toEqual([
    [400, 'ERR_CLOSING_REASON_REQUIRED'],
    [404, 'ERR_NO_CLOSING_REASON_FOUND'],
    [404, 'ERR_NO_CLOSING_REASON_FOUND'],
  ])
  const refused = await admin.call(tickets.resolveMany, { body: { Tickets: [id] } })
  expect([refused.status, refused.body.error]).toEqual([400, 'ERR_CLOSING_REASON_REQUIRED'])

  expect((await resolving(id, { closingReasonId: own, closingNote: ' trocou a peça ' })).status).toBe(200)
  const reason = { id: own, name: 'Resolvido' }
  expect(await marina.get(tickets.show, { params: { ticketId: id } })).toMatchObject({
    closingReason: reason,
  })
  await admin.get(closingReasons.remove, { params: { closingReasonId: own } })
  const { events } = await marina.get(tickets.story, { params: { ticketId: id } })
  expect(events.at(-1)).toMatchObject({ what: 'resolved', reason, note: 'trocou a peça' })
  const { reasons } = await admin.get(reports.reasons, {})
  expect(reasons.find(one => one.id === own)).toMatchObject({ name: 'Resolvido', closed: 1 })
  const behind = await admin.get(reports.services, { query: { reasonId: own } })
  expect(behind.services.map(one => one.ticketId)).toEqual([id])
  await until(async () => (await ana.received()).includes('Tchau da fila'))

  // a user's own comes before the queue's, and what closes by itself needs no reason
  await marina.get(users.change, {
    params: { userId: marina.user.id },
    body: { farewellMessage: 'Beijo, {{atendente}}' },
  })
  const { id: spam } = choices[1]!
  await admin.get(closingReasons.change, { params: { closingReasonId: spam }, body: { spam: false } })
  const bia = await served({ closingReasonId: spam })
  await until(async () => (await bia.received()).includes(`Beijo, ${marina.user.name}`))
  expect(await bia.received()).not.toContain('Tchau da fila')
  await admin.get(closingReasons.changeQueue, { params, body: { reasonRequired: false } })
})
