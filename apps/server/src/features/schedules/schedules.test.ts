import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { queues } from '@balcao/contract/queues.ts'
import { type Schedule, scheduleChannel, schedules } from '@balcao/contract/schedules.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newNumber, type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { film, paper, photo, picture, riddle, sound, sticker, voice } from '../../../testing/samples.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { contactsMerging } from '../contacts/contacts.events.ts'

let app: TestApp
let admin: Person
let caio: Person
let stranger: Person
let rows: Rows
let contactId: number
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.as('admin@balcao.test')
  caio = await app.as('caio@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, admin)
  contactId = await rows.contact()
})
afterAll(() => app.close())

const HOUR = 3_600_000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const given = (fields: object = {}) => ({ contactId, body: 'Até amanhã', sendAt: inMs(HOUR), ...fields })
const plan = (who: Person, fields: object = {}) =>
  who.call(schedules.create, { params: { companyId: who.user.companyId }, body: given(fields) })
const planned = async (who: Person, fields: object = {}) => {
  const { status, body } = await plan(who, fields)
  expect([status, body.error]).toEqual([200, undefined])
  return body
}
const change = (who: Person, { id: scheduleId }: { id: number }, fields: object = {}) =>
  who.call(schedules.change, { params: { scheduleId, companyId: who.user.companyId }, body: given(fields) })
const show = (id: number) => admin.get(schedules.show, { params: { scheduleId: id } })
const shownOf = async (who: Person, query: object) =>
  (await who.get(schedules.list, { query })).schedules.map(({ id }) => id)

/** As the documents send it: the fields as JSON beside the file. */
const withFile = (
  who: Person,
  fields: object,
  files: ReturnType<typeof photo>[],
  method = schedules.create,
) =>
  who.call(method, {
    params: { companyId: who.user.companyId },
    body: { body: JSON.stringify(given({ typeMessage: 'Mídia', ...fields })) },
    files,
  })

describe('a schedule', () => {
  test('has every field of the documents, by their names (ENTITY-015, SCHED-035) [ENTITY-015, SCHED-035]', async () => {
    const queueId = admin.user.queues[0]!.id
    const sendAt = inMs(HOUR)
    const made = await planned(admin, {
      queueId,
      sendAt,
      typeSchedule: 'Recorrente Mensal',
      repeatCounter: '2',
    })
    const FIELDS = `id body contact contactId queue queueId whatsapp whatsappId user userId sendAt hour sentAt
      repeatCounter typeMessage typeSchedule mediaUrl mediaUrlVt status`.split(/\s+/)
    expect(Object.keys(made)).toEqual(expect.arrayContaining(FIELDS))
    expect(made).toMatchObject({
      body: 'Até amanhã',
      contact: { id: contactId, name: 'Rui' },
      queue: { id: queueId, name: admin.user.queues[0]!.name },
      whatsappId: admin.user.whatsappId,
      user: { id: admin.user.id, name: admin.user.name },
      userId: admin.user.id,
      sendAt,
      sentAt: null,
      repeatCounter: 2,
      typeMessage: 'Texto',
      typeSchedule: 'Recorrente Mensal',
      mediaUrl: null,
      status: 'PENDENTE',
      planned: true,
      last: null,
    })
    expect(await show(made.id)).toEqual(made)
  })

  test('is planned by the clock of the company, where no zone is said (OP-59) [SCHED-017]', async () => {
    const day = inMs(30 * 24 * HOUR).slice(0, 10)
    const byClock = await planned(admin, { sendAt: `${day}T09:30` })
    expect(byClock).toMatchObject({ sendAt: `${day}T12:30:00.000Z`, hour: '09:30', firstAt: `${day}T09:30` })
    expect(await planned(admin, { sendAt: day, hour: '18:05' })).toMatchObject({ hour: '18:05' })
    const missing = await plan(admin, { sendAt: day })
    expect([missing.status, missing.body.field]).toEqual([400, 'hour'])
  })

  test('is from a minute ago to two years ahead (SCHED-025) [SCHED-025]', async () => {
    expect((await plan(admin, { sendAt: inMs(-50_000) })).status).toBe(200)
    for (const sendAt of [inMs(-70_000), inMs(2 * 366 * 24 * HOUR + HOUR), '0000-01-01T00:00:00Z', 'hoje'])
      expect([sendAt, (await plan(admin, { sendAt })).body.field]).toEqual([sendAt, 'sendAt'])
  })

  test.each([
    ['no contact', { contactId: null }, 'contactId'],
    ['a text under 5 characters', { body: 'Olá ' }, 'body'],
    ['no text', { body: '' }, 'body'],
    ['fewer repeats than none', { repeatCounter: -1 }, 'repeatCounter'],
    ['half a repeat', { repeatCounter: 1.5 }, 'repeatCounter'],
    ['another kind', { typeSchedule: 'Diário' }, 'typeSchedule'],
    ['media without a file', { typeMessage: 'Mídia' }, 'media'],
  ])(
    'with %s is refused at its field (SCHED-021 … SCHED-026) [OP-01, SCHED-024, SCHED-026]',
    async (_what, fields, field) => {
      const { status, body } = await plan(admin, fields)
      expect([status, body.field]).toEqual([400, field])
    },
  )

  test.each([
    ['contact', { contactId: 2_000_000_000 }, 'ERR_NO_CONTACT_FOUND'],
    ['queue', { queueId: 2_000_000_000 }, 'ERR_NO_QUEUE_FOUND'],
    ['connection', { whatsappId: 2_000_000_000 }, 'ERR_NO_WAPP_FOUND'],
    ['user', { userId: 2_000_000_000 }, 'ERR_NO_USER_FOUND'],
  ])('does not name a %s of another company', async (what, nobodys, error) => {
    const theirs = {
      contact: { contactId: (await rowsOf(app, stranger).contact()) as number },
      queue: { queueId: stranger.user.queues[0]?.id ?? 2_000_000_000 },
      connection: { whatsappId: stranger.user.whatsappId },
      user: { userId: stranger.user.id },
    }[what]
    for (const fields of [nobodys, theirs!]) expect((await plan(admin, fields)).body.error).toBe(error)
  })
})

describe('a list', () => {
  test('is searched, filtered by status and contact, and comes by its time (SCHED-002 … SCHED-004) [OP-86, SCHED-002, SCHED-004]', async () => {
    const word = `girassol${unique()}`
    const other = await rows.contact()
    const later = await planned(admin, { body: `Um ${word.toUpperCase()} amarelo`, sendAt: inMs(3 * HOUR) })
    const sooner = await planned(admin, { body: `${word} branco`, contactId: other, sendAt: inMs(2 * HOUR) })
    const found = { searchParam: word }
    expect(await shownOf(caio, { ...found, status: 'PENDENTE' })).toEqual([sooner.id, later.id])
    expect(await shownOf(caio, { ...found, status: '' })).toEqual([later.id, sooner.id])
    expect(await shownOf(caio, { ...found, status: 'ENVIADA' })).toEqual([])
    expect(await shownOf(caio, { ...found, contactId: other, user: 'x' })).toEqual([sooner.id])
    expect(await shownOf(stranger, found)).toEqual([])
    const wrong = await admin.fetch('/schedules?status=OUTRA')
    expect([wrong.status, await wrong.json()]).toEqual([400, expect.objectContaining({ field: 'status' })])
  })

  test('comes by pages (SCHED-013) [SCHED-013]', async () => {
    const word = `pagina${unique()}`
    for (let at = 0; at < 21; at++) await planned(admin, { body: `${word} ${at}` })
    const page = await admin.get(schedules.list, { query: { searchParam: word } })
    const rest = await admin.get(schedules.list, { query: { searchParam: word, pageNumber: 2 } })
    expect([page.schedules.length, page.hasMore, rest.schedules.length, rest.hasMore]).toEqual([
      20,
      true,
      1,
      false,
    ])
  })
})

describe('who may', () => {
  test('change and delete: admins and who made it; others only look (SCHED-011, ROLE-005) [ROLE-005, SCHED-011]', async () => {
    const [mine, theirs] = [await planned(caio), await planned(admin)]
    const refused = [403, 'ERR_NO_PERMISSION']
    const changed = await change(caio, theirs, { body: 'Outro texto' })
    expect([changed.status, changed.body.error]).toEqual(refused)
    const removed = await caio.call(schedules.remove, { params: { scheduleId: theirs.id } })
    expect([removed.status, removed.body.error]).toEqual(refused)
    expect((await show(theirs.id)).body).toBe('Até amanhã')
    expect((await change(caio, mine, { body: 'Texto novo' })).body.body).toBe('Texto novo')
    const byAdmin = await change(admin, mine, { body: 'Do chefe' })
    expect(byAdmin.body).toMatchObject({ body: 'Do chefe', userId: caio.user.id })
    expect((await caio.call(schedules.remove, { params: { scheduleId: mine.id } })).status).toBe(200)
    expect((await admin.call(schedules.show, { params: { scheduleId: mine.id } })).status).toBe(404)
  })

  test('plan in the name of another: admins alone', async () => {
    expect((await planned(caio, { userId: admin.user.id })).userId).toBe(caio.user.id)
    expect((await planned(admin, { userId: caio.user.id })).userId).toBe(caio.user.id)
  })

  test('delete many: everybody his own, all of them admins alone (SCHED-006 … SCHED-008) [ROLE-007, API-015, SCHED-006, SCHED-007, SCHED-008]', async () => {
    const [mine, theirs] = [await planned(caio), await planned(admin)]
    const sent = await planned(caio)
    await app.database.script(`update schedules set status = 'ENVIADA', next_at = null where id = ${sent.id}`)
    const many = (who: Person, body: object) => who.call(schedules.removeMany, { body: { user: 1, ...body } })
    const refused = await many(caio, { mySchedule: false })
    expect([refused.status, refused.body.field]).toEqual([403, 'mySchedule'])
    await many(caio, { mySchedule: true, status: 'ENVIADA' })
    expect((await caio.call(schedules.show, { params: { scheduleId: sent.id } })).status).toBe(404)
    expect((await many(caio, { status: null })).status).toBe(200)
    expect((await caio.call(schedules.show, { params: { scheduleId: mine.id } })).status).toBe(404)
    expect((await show(theirs.id)).id).toBe(theirs.id)
    await many(stranger, { mySchedule: false })
    expect((await show(theirs.id)).id).toBe(theirs.id)
    expect((await many(admin, { mySchedule: false })).body.deleted).toBeGreaterThan(0)
    expect(await shownOf(admin, {})).toEqual([])
  })
})

describe('a file', () => {
  test.each([
    ['png', picture()],
    ['jpg', photo()],
    ['pdf', paper()],
    ['mp4', film()],
    ['mp3', sound()],
    ['ogg', voice()],
  ])(
    'of the kind %s is taken, under the name that is said (SCHED-027, SCHED-034) [API-015, SCHED-027, SCHED-034]',
    async (_kind, file) => {
      const { status, body } = await withFile(admin, { mediaName: 'Convite', body: '' }, [file])
      expect([status, body.mediaName]).toEqual([200, 'Convite'])
      expect(Buffer.from(await (await admin.fetch(body.mediaUrl!)).arrayBuffer())).toEqual(
        Buffer.from(file.bytes),
      )
      expect(body.mediaUrlVt).toBe(body.mediaUrl)
    },
  )

  test('of any other kind is refused, and so are two, and one beside a text [SCHED-027]', async () => {
    for (const file of [sticker(), riddle()]) {
      const { status, body } = await withFile(admin, {}, [file])
      expect([status, body.error]).toEqual([415, 'ERR_FILE_TYPE'])
    }
    expect((await withFile(admin, {}, [photo(), photo()])).body.field).toBe('media')
    expect((await withFile(admin, { typeMessage: 'Texto' }, [photo()])).body.field).toBe('media')
  })

  test('stays when the schedule changes, goes along with a copy, and goes with the last that names it', async () => {
    const first = (await withFile(admin, {}, [photo()])).body
    const kept = await change(admin, first, { typeMessage: 'Mídia', body: 'Legenda nova' })
    expect(kept.body).toMatchObject({ mediaUrl: first.mediaUrl, body: 'Legenda nova' })
    const copy = await planned(admin, { typeMessage: 'Mídia', mediaUrl: first.mediaUrl })
    expect(copy.mediaUrl).toBe(first.mediaUrl)
    const theirs = await stranger.call(schedules.create, {
      params: { companyId: stranger.user.companyId },
      body: given({
        contactId: await rowsOf(app, stranger).contact(),
        typeMessage: 'Mídia',
        mediaUrl: first.mediaUrl,
      }),
    })
    expect([theirs.status, theirs.body.field]).toEqual([404, 'mediaUrl'])
    const elsewhere = await plan(admin, { typeMessage: 'Mídia', mediaUrl: '/media/../secret' })
    expect([elsewhere.status, elsewhere.body.field]).toEqual([404, 'mediaUrl'])
  })
})

describe('what a schedule names', () => {
  test('goes: its queue and its connection are let go, its contact takes it along', async () => {
    const queueId = await rows.queue()
    const whatsappId = await rows.connection()
    const going = await rows.contact()
    const made = await planned(admin, { contactId: going, queueId, whatsappId })
    await admin.get(queues.remove, { params: { queueId } })
    expect(await show(made.id)).toMatchObject({ queueId: null, queue: null, whatsappId })
    await admin.get(connections.remove, { params: { whatsappId } })
    expect(await show(made.id)).toMatchObject({ whatsappId: null, whatsapp: null, planned: true })
    const pushes = await caio.subscribe(scheduleChannel)
    await admin.get(contacts.remove, { params: { contactId: going } })
    expect((await admin.call(schedules.show, { params: { scheduleId: made.id } })).status).toBe(404)
    await until(() => pushes.some(one => one.action === 'delete' && one.scheduleIds.includes(made.id)))
  })
})

test('everybody of the company hears of a change, and nobody else', async () => {
  const [pushes, others] = [await caio.subscribe(scheduleChannel), await stranger.subscribe(scheduleChannel)]
  const made: Schedule = await planned(admin)
  await until(() => pushes.length === 1)
  expect(pushes).toEqual([{ action: 'create', scheduleIds: [made.id], contactId }])
  const theirs = await stranger.get(schedules.create, {
    params: { companyId: stranger.user.companyId },
    body: given({ contactId: await rowsOf(app, stranger).contact() }),
  })
  await until(() => others.length > 0)
  expect(others.map(({ scheduleIds }) => scheduleIds)).toEqual([[theirs.id]])
})

test('a number that was two people is one, with what was planned for both', async () => {
  const number = newNumber()
  const former = await planned(admin, {
    contactId: (await admin.get(contacts.create, { body: { name: 'Um', number } })).id,
  })
  const into = await rows.contact()
  await app.platform.scopes
    .inCompany(admin.user.companyId)
    .transaction(tx => tx.involve(contactsMerging, { from: former.contactId, into, mergeId: null }))
  expect((await show(former.id)).contactId).toBe(into)
})
