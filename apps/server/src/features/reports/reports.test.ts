import { defaultFlags } from '@balcao/contract/permissions.rules.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { reports } from '@balcao/contract/reports.ts'
import { tags } from '@balcao/contract/tags.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Rows, rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let helena: Person
let marina: Person
let stranger: Person
let rows: Rows
beforeAll(async () => {
  app = await openTestApp()
  helena = await app.as('admin@balcao.test')
  marina = await app.as('atendente@balcao.test')
  stranger = await app.as('admin@outra.test')
  rows = rowsOf(app, helena)
})
afterAll(() => app.close())

const change = (who: Person, ticketId: number, body: object) =>
  who.get(tickets.change, { params: { ticketId }, body })
const report = async (who = helena, query: object = {}) => (await who.get(reports.dash, { query })).reportData
/** Waits in a queue that Marina attends. */
async function waiting() {
  const ticketId = await rows.ticket()
  return change(helena, ticketId, { transf: true, queueId: marina.user.queues[0]!.id, userId: null })
}

describe('a report', () => {
  test('counts who waits and is attended now, and who was closed since the month began (DASH-002, DASH-009) [ENTITY-042 … ENTITY-043, DASH-001 … DASH-010]', async () => {
    const before = await report()
    const { id } = await waiting()
    expect(await report()).toMatchObject({ countPending: before.countPending + 1 })
    await change(marina, id, { status: 'open' })
    const open = await report()
    expect([open.countPending, open.countOpenGeneral]).toEqual([
      before.countPending,
      before.countOpenGeneral + 1,
    ])
    await change(marina, id, { status: 'closed' })
    const after = await report()
    expect(after).toMatchObject({
      countPending: before.countPending,
      countOpenGeneral: before.countOpenGeneral,
      countClosed: before.countClosed + 1,
      totalTickets: before.totalTickets + 1,
      tmaTotalMoment: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      tmaTotalMedioMoment: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      tmeTotalMoment: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
      tmeTotalMedioMoment: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    })
    expect(after.tickets[0]).toEqual({ id })
    const from = new Date(after.range.from)
    expect(
      from.toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', day: 'numeric', hour: 'numeric' }),
    ).toBe('1, 00')
    expect(Date.parse(after.range.until)).toBeLessThanOrEqual(Date.now() + 1_000)
    const row = after.dataUsers.find(user => user.id === marina.user.id)!
    expect(row).toMatchObject({ name: marina.user.name, tma: expect.any(String), tme: expect.any(String) })
    expect(row.qtdAtendimentos).toBe(row.countOpen + row.countClosed)
    const queue = after.dataQueuesWitchPercent.find(({ id: of }) => of === marina.user.queues[0]!.id)!
    expect(queue).toMatchObject({ queue: marina.user.queues[0]!.name, percent: expect.any(Number) })
  })

  test('is not changed by what is opened again, and forgets a closing that was taken back', async () => {
    const { id } = await waiting()
    await change(marina, id, { status: 'open' })
    const { countClosed } = await report()
    await change(marina, id, { status: 'closed' })
    await marina.get(tickets.undo, { params: { ticketId: id } })
    expect(await report()).toMatchObject({ countClosed })
    await change(marina, id, { status: 'closed' })
    await change(marina, id, { status: 'open' })
    expect(await report()).toMatchObject({ countClosed: countClosed + 1 })
    await helena.get(tickets.remove, { params: { ticketId: id } })
    expect(await report()).toMatchObject({ countClosed })
  })

  test('tells tags apart, and what is chosen narrows it to one queue and one user (OP-116) [OP-116 … OP-117, REPORT-001 … REPORT-009]', async () => {
    const tag = await helena.get(tags.create, {
      body: { name: `Marca ${unique()}`, color: '#1273de', kanban: 0 },
    })
    const { id } = await waiting()
    await helena.get(tickets.syncTags, { body: { ticketId: id, tags: [tag.id] } })
    await change(marina, id, { status: 'open' })
    await change(marina, id, { status: 'closed' })
    const all = await report()
    expect(all.dataTags.find(part => part.id === tag.id)).toMatchObject({
      name: tag.name,
      figures: { closed: 1 },
    })
    const [first, second] = marina.user.queues
    const own = await report(helena, { currentQueue: first!.id, currentUser: marina.user.id })
    expect(own.dataUsers.map(user => user.id)).toEqual([marina.user.id])
    expect(own.dataQueuesWitchPercent.map(queue => queue.id)).toEqual([first!.id])
    const elsewhere = await report(helena, { currentQueue: second!.id, currentUser: '' })
    expect(elsewhere.dataTags.map(part => part.id)).not.toContain(tag.id)
    const same = await helena.get(reports.attendances, {
      query: { selectedQueueIds: [first!.id], selectedUserIds: [marina.user.id] },
    })
    expect(same.reportData.figures).toEqual(own.figures)
  })

  test('of a company that did nothing says dashes, no zeros, and nothing of its neighbour', async () => {
    const none = await report(stranger)
    expect(none).toMatchObject({ countClosed: 0, tmaTotalMedioMoment: '–', tmeTotalMedioMoment: '–' })
    expect([none.dataTags, none.dataConnections, none.tickets]).toEqual([[], [], []])
  })
})

describe('what is asked wrongly', () => {
  const refused = async (query: object, who = helena) => {
    const { status, body } = await who.call(reports.attendances, { query })
    return [status, body.error, body.field]
  }
  test('names its field: a century, an end before the beginning, what is no moment, what the company has not [API-045, ENTITY-042 … ENTITY-043]', async () => {
    expect(await refused({ initialDate: '1924-01-01', finalDate: '2024-01-01' })).toEqual([
      400,
      'ERR_BAD_REQUEST',
      'initialDate',
    ])
    expect(await refused({ initialDate: '2024-02-01', finalDate: '2024-01-01' })).toEqual([
      400,
      'ERR_BAD_REQUEST',
      'finalDate',
    ])
    expect(await refused({ initialDate: 'ontem' })).toEqual([400, 'ERR_BAD_REQUEST', 'initialDate'])
    expect(await refused({ finalDate: '2024-02-30' })).toEqual([400, 'ERR_BAD_REQUEST', 'finalDate'])
    expect(await refused({ selectedQueueIds: '[1' })).toEqual([400, 'ERR_BAD_REQUEST', 'selectedQueueIds'])
    expect(await refused({ selectedQueueIds: [marina.user.queues[0]!.id] }, stranger)).toEqual([
      404,
      'ERR_NO_QUEUE_FOUND',
      'selectedQueueIds',
    ])
    expect(await refused({ selectedUserIds: [2_000_000_000] })).toEqual([
      404,
      'ERR_NO_USER_FOUND',
      'selectedUserIds',
    ])
    const { status, body } = await stranger.call(reports.dash, { query: { currentUser: marina.user.id } })
    expect([status, body.field]).toEqual([404, 'currentUser'])
  })
})

test('an admin sets what the company wants to reach; another company has targets of its own, and refuses what is out of bounds', async () => {
  const targets = { waitMinutes: 5, serveMinutes: 45, closedPerDay: 12 }
  expect(await helena.get(reports.changeTargets, { body: targets })).toEqual(targets)
  expect(await helena.get(reports.targets)).toEqual(targets)
  const none = { waitMinutes: null, serveMinutes: null, closedPerDay: null }
  expect(await stranger.get(reports.targets)).toEqual(none)
  await stranger.get(reports.changeTargets, { body: { ...none, waitMinutes: 1_440 } })
  expect(await helena.get(reports.targets)).toEqual(targets)
  for (const wrong of [
    { waitMinutes: 0 },
    { waitMinutes: 1_441 },
    { serveMinutes: 1.5 },
    { closedPerDay: 100_001 },
  ]) {
    const { status, body } = await helena.call(reports.changeTargets, { body: { ...targets, ...wrong } })
    expect([status, body.field]).toEqual([400, Object.keys(wrong)[0]])
  }
  expect((await marina.call(reports.changeTargets, { body: none })).status).toBe(403)
})

test('who is online is counted once for each user of the company, however many screens', async () => {
  const online = async (who: Person) => (await who.get(reports.online)).users
  expect(await online(helena)).toBe(0)
  for (const who of [helena, await app.as('admin@balcao.test'), marina]) await who.socket()
  await expect.poll(() => online(helena)).toBe(2)
  expect(await online(stranger)).toBe(0)
})

test('the dashboard is for whose group has enableDash, attendants too; reports are for who administrates (DASH-010, OP-15) [GEN-026, ROLE-004, API-045, OP-15, DASH-001 … DASH-010]', async () => {
  const group = async (enableDash: 0 | 1) => {
    const { id } = await helena.get(permissions.create, {
      body: { ...defaultFlags, name: `Painel ${unique()}`, enableAdministration: 0, enableDash },
    })
    await helena.get(users.change, { params: { userId: marina.user.id }, body: { userAuthorizationId: id } })
  }
  const dashboard = [reports.dash, reports.hours, reports.online, reports.targets]
  const statuses = () => Promise.all(dashboard.map(async route => (await marina.call(route)).status))
  await group(1)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect((await marina.call(reports.attendances)).status).toBe(403)
  await group(0)
  expect(await statuses()).toEqual([403, 403, 403, 403])
})

test('a company whose plan has no dashboard, or no reports, gets none (OP-25) [COMPANY-025, OP-25, PLAN-001 … PLAN-021]', async () => {
  const allow = (isOn: boolean) =>
    app.database.script(`update companies set enable_dashboard = ${isOn}, enable_reports = ${isOn}
      where id = ${stranger.user.companyId}`)
  await allow(false)
  for (const route of [reports.dash, reports.attendances]) {
    const { status, body } = await stranger.call(route)
    expect([status, body.error]).toEqual([402, 'ERR_NOT_IN_PLAN'])
    expect((await helena.call(route)).status).toBe(200)
  }
  await allow(true)
  expect((await stranger.call(reports.dash)).status).toBe(200)
})
