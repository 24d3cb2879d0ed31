import { invoiceChannelOf, invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unique } from '../../../testing/rows.ts'
import { openTestApp, type Person, type TestApp, until } from '../../../testing/test-app.ts'

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
    ...{ state: 'open', paidValue: 0, creditedValue: 0, carriedValue: 0, cancelReason: '' },
    ...{ description: '', fiscalNoteUrl: '', discountValue: 0, lateValue: 0, lateToday: 0 },
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
  const cancelled = await add({ startInvoicePeriod: '2026-09-01' })
  const cancel = (reason: string) =>
    master.call(invoices.cancel, { params: { invoiceId: cancelled.id }, body: { reason } })
  expect((await cancel(' ')).body.field).toBe('reason')
  expect((await cancel('Cortesia')).body).toMatchObject({
    status: 'RECEIVED',
    state: 'cancelled',
    pixCode: '',
  })
  expect((await cancel('Cortesia')).body.error).toBe('ERR_INVOICE_CANCELLED')
  const paying = { params: { invoiceId: cancelled.id }, body: { payDate: '2026-10-09' } }
  expect((await master.call(invoices.pay, paying)).body.error).toBe('ERR_INVOICE_CANCELLED')
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
