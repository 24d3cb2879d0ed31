import { clients } from '@balcao/contract/clients.ts'
import { connections } from '@balcao/contract/connections.ts'
import { Plan, planChannel, plans } from '@balcao/contract/plans.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { users } from '@balcao/contract/users.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf, unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

let app: TestApp
let master: Person
let admin: Person
let stranger: Person
beforeAll(async () => {
  app = await openTestApp()
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
})
afterAll(() => app.close())

const sent = (body: object) => ({ name: `Plano ${unique()}`, ...body })
const add = (body: object = {}) => master.get(plans.create, { body: sent(body) })
const own = async (who = admin) =>
  (await master.get(plans.ofCompany, { params: { companyId: who.user.companyId } }))[0]!
/** A company that the operator founded, and that has no plan. */
const aCompany = async () =>
  (
    await master.get(clients.create, {
      body: {
        name: 'Nova',
        email: `${unique()}@nova.test`,
        userName: 'Dona',
        passwordDefault: 'balcao-demo',
      },
    })
  ).company
const assign = (companyId: number, planId: number, who = master) =>
  who.call(plans.assign, { params: { companyId, planId } })

test('a plan begins with the defaults of the documents and keeps every field (ENTITY-033) [ENTITY-033, PLAN-001 … PLAN-021]', async () => {
  expect(await add({ name: 'Simples' })).toMatchObject({
    ...{ numberAttendants: 1, numberConnections: 1, billingType: 'PIX', recurrence: 'month1' },
    ...{ enableCampaigns: false, enableBots: true, enableFlows: true, enableSchedules: true },
    ...{ enableReports: true, enableDashboard: true, enableApi: true, iaIntegrationEnabled: true },
    ...{ status: true, highlighted: 0, automaticInvoice: true, isStandard: false, companyId: null },
  })
  const body = {
    ...{
      name: 'Completo',
      slogan: 'Tudo',
      description: 'Com tudo',
      numberAttendants: 7,
      numberConnections: 3,
    },
    ...{ value1Month: 123450, value3Months: 111105, value6Months: 100000, value12Months: 123450 },
    recurrence: 'months12',
    billingType: 'CREDIT_CARD',
    automaticInvoice: true,
    highlighted: 1,
    ...{ status: false, iaIntegrationEnabled: false, enableReports: false, enableDashboard: false },
    ...{ enableCampaigns: true, enableSchedules: false, enableApi: false, enableBots: false },
    ...{ enableFlows: false, campaignSendLimitPerHour: 50, isStandard: false },
  } as const
  const added = await master.get(plans.create, { body })
  expect(added).toMatchObject(body)
  expect(Object.keys(added).sort()).toEqual(Object.keys(Plan.shape).sort())
  expect(await master.get(plans.show, { params: { planId: added.id } })).toEqual(added)
})

test('money is cents, written as R$ with a comma, with the total and the discount of each period [PLAN-001 … PLAN-021]', async () => {
  const plan = await add({
    value1Month: 123450,
    value3Months: 111105,
    value6Months: 130000,
    value12Months: 0,
  })
  expect(plan).toMatchObject({
    ...{ value1MonthBrl: 'R$ 1.234,50', value1MonthTotal: 123450, value1MonthDiscount: 0 },
    ...{ value3MonthsBrl: 'R$ 1.111,05', value3MonthsTotal: 333315, value3MonthsTotalBrl: 'R$ 3.333,15' },
    ...{ value3MonthsDiscount: 10, value6MonthsDiscount: 0 },
    ...{ value12MonthsBrl: 'R$ 0,00', value12MonthsDiscount: 0 },
  })
})

test.each<[object, string, string | undefined]>([
  [{ name: undefined }, 'name', 'Nome é obrigatório'],
  [{ name: '' }, 'name', 'Nome é obrigatório'],
  [{ name: 'P' }, 'name', 'Too Short!'],
  [{ name: 'P'.repeat(51) }, 'name', 'Too Long!'],
  [{ numberAttendants: 'muitos' }, 'numberAttendants', undefined],
  [{ numberConnections: 1.5 }, 'numberConnections', undefined],
  [{ value1Month: 10.5 }, 'value1Month', undefined],
  [{ value3Months: -1 }, 'value3Months', undefined],
  [{ recurrence: '3' }, 'recurrence', undefined],
  [{ billingType: 'CASH' }, 'billingType', undefined],
  [{ highlighted: 3 }, 'highlighted', undefined],
])('what is wrong is refused with its field: case %#', async (given, field, message) => {
  const { status, body } = await master.call(plans.create, { body: sent(given) })
  expect([status, body.field]).toEqual([400, field])
  if (message) expect((body as { message?: string }).message).toBe(message)
})

test('the list has the plans of the platform alone, a page at a time, with a search', async () => {
  for (let at = 10; at < 31; at++) await add({ name: `Página ${at}` })
  const page = (pageNumber: number) =>
    master.get(plans.list, { query: { searchParam: 'página', pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.plans.length, first.hasMore]).toEqual([20, true])
  expect([second.plans.map(({ name }) => name), second.hasMore]).toEqual([['Página 30'], false])
  expect((await master.get(plans.list)).plans.every(({ companyId }) => companyId === null)).toBe(true)
})

test('anybody is offered the active plans of the platform, and no others [API-033, OP-119]', async () => {
  const [offered, hidden] = [await add(), await add({ status: false })]
  const ids = (await app.anonymous.get(plans.public)).plans.map(({ id }) => id)
  expect([ids.includes(offered.id), ids.includes(hidden.id), ids.includes((await own()).id)]).toEqual([
    true,
    false,
    false,
  ])
})

test('an assigned plan is copied: limits and switches follow, and what is sold changes without the company [API-033, OP-25, OP-26 … OP-27]', async () => {
  const plan = await add({
    numberAttendants: 4,
    numberConnections: 2,
    enableCampaigns: true,
    enableBots: false,
  })
  const { id: companyId } = await aCompany()
  const copy = (await assign(companyId, plan.id)).body
  expect(copy).toMatchObject({ companyId, name: plan.name, numberAttendants: 4 })
  expect(copy.id).not.toBe(plan.id)
  const company = () => master.get(clients.show, { params: { companyId } })
  expect(await company()).toMatchObject({
    ...{ numberAttendants: 4, numberConections: 2, enableCampaigns: true, enableBots: false, plan: [copy] },
  })
  await master.get(plans.change, { params: { planId: plan.id }, body: { numberAttendants: 99 } })
  expect((await company()).numberAttendants).toBe(4)
  await master.get(plans.change, { params: { planId: copy.id }, body: { numberAttendants: 6 } })
  expect((await company()).numberAttendants).toBe(6)
})

test('of ten plans that are given to a company at once it has one, and the others are refused', async () => {
  const plan = await add()
  const { id: companyId } = await aCompany()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      at % 2
        ? assign(companyId, plan.id)
        : master.call(plans.create, { body: { name: 'Próprio', companyId } }),
    ),
  )
  const codes = answers.map(({ status, body }) => `${status} ${body.error ?? ''}`.trim())
  expect(codes.filter(code => code === '200')).toHaveLength(1)
  expect(new Set(codes)).toEqual(new Set(['200', '409 ERR_COMPANY_HAS_PLAN']))
  expect(await master.get(plans.ofCompany, { params: { companyId } })).toHaveLength(1)
})

test('what is not offered is assigned to nobody: a hidden plan, one of a company, one that is gone', async () => {
  const { id: companyId } = await aCompany()
  for (const planId of [(await add({ status: false })).id, (await own(stranger)).id, 2_000_000_000])
    expect((await assign(companyId, planId)).body.error).toBe('ERR_NO_PLAN_FOUND')
  const { id } = await add()
  expect((await assign(2_000_000_000, id)).body.error).toBe('ERR_NO_COMPANY_FOUND')
  expect((await assign(stranger.user.companyId, id, admin)).body.error).toBe('ERR_NO_COMPANY_FOUND')
})

test('who pays changes recurrence and billing type of the own plan, and the rest is ignored (OP-17) [GEN-025, OP-17]', async () => {
  const before = await own()
  const body = {
    name: 'De graça',
    recurrence: 'months6',
    billingType: 'BOLETO',
    numberAttendants: 999,
  } as const
  const changed = await admin.get(plans.change, {
    params: { planId: before.id },
    body: { ...body, value1Month: 1 },
  })
  expect(changed).toEqual({ ...before, recurrence: 'months6', billingType: 'BOLETO' })
  const foreign = { params: { planId: (await own(stranger)).id }, body }
  expect((await admin.call(plans.change, foreign)).body.error).toBe('ERR_NO_PLAN_FOUND')
  const sold = { params: { planId: (await add()).id } }
  expect((await admin.call(plans.show, sold)).body.error).toBe('ERR_NO_PLAN_FOUND')
})

test('exactly one plan is the standard of new companies: it moves, and is never taken away [PLAN-001 … PLAN-021]', async () => {
  const standard = async () =>
    (await master.get(plans.list, { query: { searchParam: '' } })).plans.filter(
      ({ isStandard }) => isStandard,
    )
  const [former] = await standard()
  const next = await add({ name: 'Aaa padrão', isStandard: true })
  expect((await standard()).map(({ id }) => id)).toEqual([next.id])
  const params = { planId: next.id }
  expect((await master.call(plans.remove, { params })).body.error).toBe('ERR_PLAN_STANDARD')
  const off = await master.call(plans.change, { params, body: { isStandard: false } })
  expect([off.body.error, off.body.field]).toEqual(['ERR_PLAN_STANDARD', 'isStandard'])
  await master.get(plans.change, { params: { planId: former!.id }, body: { isStandard: true } })
  await master.get(plans.remove, { params })
  expect((await master.call(plans.show, { params })).body.error).toBe('ERR_NO_PLAN_FOUND')
})

test('limits follow the plan at once, also while many ask for a seat or a connection [PLAN-001 … PLAN-021]', async () => {
  const { id: planId } = await own()
  const rows = rowsOf(app, admin)
  const authorizationId = await rows.authorization()
  const [{ length: people }, { length: lines }] = [
    await admin.get(users.all),
    await admin.get(connections.list),
  ]
  const body = { numberAttendants: people + 2, numberConnections: lines + 2 }
  await master.get(plans.change, { params: { planId }, body })
  const aUser = async () => ({
    ...{
      name: 'Nova',
      email: `${unique()}@lume.test`,
      password: 'uma-senha-boa',
      whatsappId: admin.user.whatsappId,
    },
    ...{ userAuthorizationId: authorizationId, queueIds: [admin.user.queues[0]!.id] },
  })
  const some = Array.from({ length: 8 })
  const seats = await Promise.all(some.map(async () => admin.call(users.create, { body: await aUser() })))
  const phones = await Promise.all(
    some.map(() => admin.call(connections.create, { body: { name: `Linha ${unique()}`, lib: 'simulator' } })),
  )
  const codes = (answers: { status: number; body: { error?: string } }[]) =>
    answers.map(({ status, body: { error } }) => error ?? status).sort()
  expect(codes(seats)).toEqual([200, 200, ...Array(6).fill('ERR_NO_LIMIT_USER')])
  expect(codes(phones)).toEqual([200, 200, ...Array(6).fill('ERR_NO_LIMIT_WHATSAPP')])
  await master.get(plans.change, { params: { planId }, body: { numberAttendants: people + 3 } })
  expect((await admin.call(users.create, { body: await aUser() })).status).toBe(200)
})

test('without schedules in its plan a company plans nothing, and its people see it at once [COMPANY-025]', async () => {
  const { id: planId } = await own()
  const turn = (enableSchedules: boolean) =>
    master.get(plans.change, { params: { planId }, body: { enableSchedules } })
  const { companyId } = admin.user
  const body = {
    contactId: await rowsOf(app, admin).contact(),
    ...{ body: 'Até amanhã', sendAt: new Date(Date.now() + 3_600_000).toISOString() },
  }
  const plan = () => admin.call(schedules.create, { params: { companyId }, body })
  await turn(false)
  expect((await plan()).body.error).toBe('ERR_NOT_IN_PLAN')
  const { company } = await admin.get(users.show, { params: { userId: admin.user.id } })
  expect(company.enableSchedules).toBe(false)
  await turn(true)
  expect((await plan()).status).toBe(200)
})

test('those who pay hear of their plan, masters of every plan, and nobody of another’s (EV-PLAN) [EVENT-019 … EVENT-020]', async () => {
  const attendant = await app.as('atendente@balcao.test')
  const [received, byStranger, byAttendant] = await Promise.all(
    [admin, stranger, attendant].map(who => who.subscribe(planChannel)),
  )
  const byMaster: unknown[] = []
  ;(await master.socket()).on(`plan-${admin.user.companyId}`, notified => byMaster.push(notified))
  const { id: planId } = await own()
  const plan = await master.get(plans.change, { params: { planId }, body: { slogan: 'Ao vivo' } })
  const strangers = await own(stranger)
  await master.get(plans.change, { params: { planId: strangers.id }, body: { slogan: 'Outra' } })
  await until(() => byStranger!.length > 0 && received!.length > 0 && byMaster.length > 0)
  expect(received).toEqual([{ action: 'update', plan }])
  expect(byMaster).toEqual(received)
  expect(byStranger).toEqual([{ action: 'update', plan: { ...strangers, slogan: 'Outra' } }])
  expect(byAttendant).toEqual([])
})
