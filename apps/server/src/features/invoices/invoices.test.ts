import { clients } from '@balcao/contract/clients.ts'
import { type Invoice, invoiceChannelOf, invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'
import { billAll } from './invoices.jobs.ts'

let app: TestApp
let master: Person
let admin: Person
let stranger: Person
let planId: number
beforeAll(async () => {
  app = await openTestApp({
    PIX_KEY: 'pix@balcao.test',
    PIX_NAME: 'Balcão Serviços',
    PIX_CITY: 'São Paulo',
  })
  master = await app.as('master@balcao.test')
  admin = await app.as('admin@balcao.test')
  stranger = await app.as('admin@outra.test')
  planId = await planOf(admin.user.companyId)
})
afterAll(() => app.close())

const planOf = async (companyId: number) =>
  (await master.get(plans.ofCompany, { params: { companyId } }))[0]!.id

type Fields = (typeof invoices.create.body)['_input']
const soon = (): Fields => ({
  ...{ startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-10' },
  ...{ valueBrl: 'R$ 1.234,50', billingType: 'PIX', recurrence: 1 },
})
const add = (body: object = {}, plan = planId) =>
  master.get(invoices.create, { params: { planId: plan }, body: { ...soon(), ...body } })
const list = async (who = admin, plan = planId) =>
  (await who.get(invoices.list, { params: { planId: plan } })).list
const pay = (invoiceId: number, body: { payDate: string | null; status?: 'RECEIVED' | 'CONFIRMED' }) =>
  master.get(invoices.pay, { params: { invoiceId }, body })

test('a master makes an invoice; who pays for the company sees it whole, with its PIX code (INVOICE-001 … INVOICE-009, ENTITY-035) [API-037, ENTITY-035, OP-125 … OP-127, INVOICE-001 … INVOICE-009]', async () => {
  const made = await add({ paymentLink: 'https://banco.test/1' })
  expect(made).toEqual({
    ...{ id: expect.any(Number), planId, companyId: admin.user.companyId },
    ...{ startInvoicePeriod: '2026-11-01', endInvoicePeriod: '2026-11-30', dueDate: '2026-11-10' },
    ...{ value: 123_450, valueBrl: 'R$ 1.234,50', billingType: 'PIX', recurrence: 1 },
    ...{ status: 'PENDING', payDate: null, paymentLink: 'https://banco.test/1', transactionReceiptUrl: '' },
    ...{ createdAt: expect.any(String), isAutomatic: false, pixCode: expect.any(String), paymentProblem: '' },
  })
  // object 54 is the amount, 05 of 62 the number
  expect(made.pixCode).toMatch(new RegExp(`^000201.*54071234\\.50.*FAT${made.id}6304[0-9A-F]{4}$`))
  expect((await list())[0]).toEqual(made)
})

test('the BR Code ends in its checksum, CRC-16/CCITT-FALSE of all before it', async () => {
  const { pixCode } = await add()
  let crc = 0xffff
  for (const byte of Buffer.from(pixCode.slice(0, -4))) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  expect(pixCode.slice(-4)).toBe(crc.toString(16).toUpperCase().padStart(4, '0'))
})

test('a payment is told and taken back; only what waits is deleted (INVOICE-004, INVOICE-005, OP-126) [API-037, OP-125 … OP-127, INVOICE-001 … INVOICE-009]', async () => {
  const { id } = await add({ startInvoicePeriod: '2026-10-01', dueDate: '2026-10-10' })
  const paid = await pay(id, { payDate: '2026-10-09', status: 'CONFIRMED' })
  expect(paid).toMatchObject({ status: 'CONFIRMED', payDate: '2026-10-09', pixCode: '' })
  const remove = () => master.call(invoices.remove, { params: { invoiceId: id } })
  expect((await remove()).body.error).toBe('ERR_INVOICE_NOT_PENDING')
  // its day is over
  expect(await pay(id, { payDate: null })).toMatchObject({ status: 'OVERDUE', payDate: null })
  expect((await remove()).body.error).toBe('ERR_INVOICE_NOT_PENDING')
  const waiting = await add({ startInvoicePeriod: '2026-12-01', endInvoicePeriod: '2026-12-31' })
  await master.get(invoices.remove, { params: { invoiceId: waiting.id } })
  expect((await list()).map(({ id }) => id)).not.toContain(waiting.id)
  expect((await master.call(invoices.remove, { params: { invoiceId: waiting.id } })).status).toBe(404)
})

test('twenty a page, the newest period first [INVOICE-001 … INVOICE-009]', async () => {
  for (let at = 1; at <= 21; at++)
    await add({
      startInvoicePeriod: `2030-01-${String(at).padStart(2, '0')}`,
      endInvoicePeriod: '2030-02-28',
      dueDate: '2030-01-30',
    })
  const page = (pageNumber: number) => admin.get(invoices.list, { params: { planId }, query: { pageNumber } })
  const [first, second] = [await page(1), await page(2)]
  expect([first.list.length, first.hasMore]).toEqual([20, true])
  expect(first.list[0]!.startInvoicePeriod).toBe('2030-01-21')
  expect(second.list[0]!.startInvoicePeriod).toBe('2030-01-01')
})

test.each([
  ['valueBrl', { valueBrl: '-1,00' }],
  ['valueBrl', { valueBrl: '0' }],
  ['valueBrl', { valueBrl: 'caro' }],
  ['startInvoicePeriod', { startInvoicePeriod: '2026-02-30' }],
  ['endInvoicePeriod', { endInvoicePeriod: '2026-10-31' }],
  ['dueDate', { dueDate: '2036-01-01' }],
  ['dueDate', { dueDate: '' }],
  ['recurrence', { recurrence: 2 }],
  ['billingType', { billingType: 'OURO' }],
  ['paymentLink', { paymentLink: 'javascript:alert(1)' }],
])('a wrong %s is refused with its field: case %#', async (field, wrong) => {
  const body = { ...soon(), ...wrong } as object as Fields
  const refused = await master.call(invoices.create, { params: { planId }, body })
  expect([refused.status, refused.body.field]).toEqual([400, field])
})

test('the plan that the platform sells has none; a plan with invoices is not deleted', async () => {
  const { id } = await master.get(plans.create, { body: { name: `Plano ${unique()}` } })
  const refused = await master.call(invoices.create, { params: { planId: id }, body: soon() })
  expect(refused.body.error).toBe('ERR_INVOICE_PLAN')
  await add()
  expect((await master.call(plans.remove, { params: { planId } })).body.error).toBe('ERR_PLAN_INVOICED')
})

test('who pays hears of the invoices of the own plan, masters of any; others see and hear none (INVOICE-010, EVENT-020) [EVENT-019 … EVENT-020, INVOICE-010]', async () => {
  const attendant = await app.as('atendente@balcao.test')
  const on = async (who: Person) => {
    const received: unknown[] = []
    ;(await who.socket()).on(invoiceChannelOf(planId).name, notified => received.push(notified))
    return received
  }
  const [byAdmin, byMaster, byStranger, byAttendant] = await Promise.all(
    [admin, master, stranger, attendant].map(on),
  )
  const invoice = await add()
  await until(() => byAdmin!.length > 0 && byMaster!.length > 0)
  expect([byAdmin, byMaster]).toEqual([[{ action: 'create', invoice }], [{ action: 'create', invoice }]])
  await master.get(invoices.remove, { params: { invoiceId: invoice.id } })
  await until(() => byAdmin!.length > 1)
  expect(byAdmin![1]).toEqual({ action: 'delete', invoiceId: invoice.id })
  expect([byStranger, byAttendant]).toEqual([[], []])
  expect((await stranger.call(invoices.list, { params: { planId } })).status).toBe(404)
  expect((await attendant.call(invoices.list, { params: { planId } })).status).toBe(403)
})

describe('automatic invoices', () => {
  /** A company whose plan is billed by itself. */
  async function billed(plan: object) {
    const body = {
      name: 'Cliente',
      email: `${unique()}@cliente.test`,
      userName: 'Dona',
      passwordDefault: 'balcao-demo',
    }
    const { id: companyId } = (await master.get(clients.create, { body })).company
    const own = await master.get(plans.create, {
      body: {
        name: `Plano ${unique()}`,
        automaticInvoice: true,
        value1Month: 9_900,
        value3Months: 9_000,
        ...plan,
      },
    })
    // as it is copied when it is assigned
    const copy = await master.get(plans.assign, { params: { companyId, planId: own.id } })
    return { companyId, planId: copy.id }
  }
  const bill = (day: string) =>
    billAll(app.platform.scopes, app.platform.config, new Date(`${day}T12:00:00-03:00`))
  /** All of them, the oldest period first. */
  async function of(plan: number) {
    const found: Invoice[] = []
    for (let pageNumber = 1; ; pageNumber++) {
      const page = await master.get(invoices.list, { params: { planId: plan }, query: { pageNumber } })
      found.push(...page.list)
      if (!page.hasMore) return found.toReversed()
    }
  }

  test('are made once a period over two years, however often and by however many it is tried (INVOICE-011, OP-127) [OP-125 … OP-127, INVOICE-011]', async () => {
    const monthly = await billed({ recurrence: 'month1' })
    const quarterly = await billed({ recurrence: 'months3' })
    const free = await billed({ value1Month: 0 })
    for (let week = 0; week < 104; week++) {
      // a week in which nothing ran
      if (week % 9 === 4) continue
      const day = new Date(Date.parse('2026-01-31') + week * 7 * 86_400_000).toISOString().slice(0, 10)
      await Promise.all([bill(day), bill(day), ...(week % 5 === 0 ? [bill(day)] : [])])
    }
    const made = await of(monthly.planId)
    const starts = made.map(one => one.startInvoicePeriod)
    expect(starts.slice(0, 5)).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'])
    expect(new Set(starts).size).toBe(made.length)
    for (const [at, one] of made.slice(1).entries())
      expect(Date.parse(one.startInvoicePeriod) - Date.parse(made[at]!.endInvoicePeriod)).toBe(86_400_000)
    expect(made.every(one => one.isAutomatic && one.value === 9_900 && one.recurrence === 1)).toBe(true)
    expect((await of(quarterly.planId)).slice(0, 2)).toMatchObject([
      { startInvoicePeriod: '2026-01-31', endInvoicePeriod: '2026-04-29', value: 27_000, recurrence: 3 },
      { startInvoicePeriod: '2026-04-30', endInvoicePeriod: '2026-07-30' },
    ])
    expect(await of(free.planId)).toEqual([])
    await master.get(plans.change, { params: { planId: monthly.planId }, body: { automaticInvoice: false } })
    await master.get(plans.change, {
      params: { planId: quarterly.planId },
      body: { automaticInvoice: false },
    })
  }, 120_000)

  test('who came by the store pays first when the trial ends, fifteen days after (OP-121) [OP-121, LEAD-020, INVOICE-011]', async () => {
    const trial = await billed({ recurrence: 'month1' })
    await app.database.script(`update companies set lead_id = 1, created_at = '2027-06-01T15:00:00Z'
      where id = ${trial.companyId}`)
    await bill('2027-06-05')
    expect(await of(trial.planId)).toEqual([])
    await bill('2027-06-06')
    expect(await of(trial.planId)).toMatchObject([
      { startInvoicePeriod: '2027-06-16', dueDate: '2027-06-16' },
    ])
    await master.get(plans.change, { params: { planId: trial.planId }, body: { automaticInvoice: false } })
  })

  test('are overdue when their day is over where the company is, not before (OP-126) [OP-125 … OP-127]', async () => {
    const { id } = await add({
      startInvoicePeriod: '2028-05-01',
      endInvoicePeriod: '2028-05-31',
      dueDate: '2028-05-10',
    })
    const status = async () => (await of(planId)).find(one => one.id === id)!.status
    const at = (moment: string) => billAll(app.platform.scopes, app.platform.config, new Date(moment))
    // in São Paulo it is still the tenth
    await at('2028-05-11T02:30:00Z')
    expect(await status()).toBe('PENDING')
    await at('2028-05-11T03:30:00Z')
    expect(await status()).toBe('OVERDUE')
  })

  test('of a company that is switched off none are made, and what it missed is not billed when it is on again [INVOICE-011]', async () => {
    const { companyId, planId: own } = await billed({})
    const turn = (status: 0 | 1) => master.get(clients.change, { params: { companyId }, body: { status } })
    /** The clock of the switch is the real one, that of the invoices is notified. */
    const switched = (column: string, day: string) =>
      app.database.script(`update companies set ${column} = '${day}T12:00:00-03:00' where id = ${companyId}`)
    const periods = async () =>
      (await of(own)).map(({ startInvoicePeriod, endInvoicePeriod }) => [
        startInvoicePeriod,
        endInvoicePeriod,
      ])
    await bill('2029-01-10')
    await turn(0)
    await switched('switched_off_at', '2029-01-20')
    await bill('2029-04-20')
    expect(await periods()).toEqual([['2029-01-10', '2029-02-09']])
    await turn(1)
    await switched('switched_on_at', '2029-05-03')
    await bill('2029-05-03')
    expect(await periods()).toEqual([
      ['2029-01-10', '2029-02-09'],
      ['2029-05-03', '2029-06-02'],
    ])
    await bill('2029-06-10')
    expect((await periods()).slice(2)).toEqual([['2029-06-03', '2029-07-02']])
    expect((await of(own)).slice(1).map(({ dueDate }) => dueDate)).toEqual(['2029-05-03', '2029-06-10'])
    await master.get(plans.change, { params: { planId: own }, body: { automaticInvoice: false } })
  })

  test('of a company that was off for some days of a period that it has an invoice of go on as before', async () => {
    const { companyId, planId: own } = await billed({})
    await bill('2029-01-10')
    await app.database.script(`update companies set switched_off_at = '2029-01-12T12:00:00Z',
      switched_on_at = '2029-01-20T12:00:00Z' where id = ${companyId}`)
    // nothing ran for two months, in which it was there
    await bill('2029-03-15')
    expect((await of(own)).map(({ startInvoicePeriod }) => startInvoicePeriod)).toEqual([
      '2029-01-10',
      '2029-02-10',
      '2029-03-10',
    ])
    await master.get(plans.change, { params: { planId: own }, body: { automaticInvoice: false } })
  })
})
