import { createHash } from 'node:crypto'
import { clients } from '@balcao/contract/clients.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { payments } from '@balcao/contract/payments.ts'
import { afterAll, expect, test } from 'vitest'
import { openPayers } from '../../../testing/payers.ts'
import { until } from '../../../testing/test-app.ts'
import { UNHURRIED } from '../../platform/postgres/db.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { leavingCompanies } from '../clients/clients.queries.ts'
import { askForCharges } from './charges.listing.actions.ts'

/** Companies that are deleted while a provider has charges, payments or refunds of theirs. */
const { app, asaas, master, scene, open, eventsDelivered, notify, close } = await openPayers()
afterAll(close)

const sqlOf = <Row>(text: ReturnType<typeof tag>) =>
  app.platform.scopes.platform().transaction(sql => rowsFrom<Row>(sql, text))
/** The copies of a payment whose company was deleted. */
const copiesOf = (payment: { id: string }) =>
  sqlOf<{ value: number; day: string }>(tag`
    select value, to_char(day, 'YYYY-MM-DD') as day from former_receipts where digest = ${digestOf(payment)} order by id`)
const digestOf = ({ id }: { id: string }) => createHash('sha256').update(`asaas:${id}`).digest('hex')
const valuesOf = async (payment: { id: string }) => (await copiesOf(payment)).map(({ value }) => value)
const paymentsNamed = ({ id }: { id: string }) =>
  sqlOf(tag`select id from payments where provider_id = ${id}`)
const isGone = async ({ companyId }: { companyId: number }) =>
  (await sqlOf(tag`select id from companies where id = ${companyId}`)).length === 0
const remove = ({ companyId }: { companyId: number }) => master.get(clients.remove, { params: { companyId } })

test('what a company that is deleted still owed nobody can pay any more, also when the provider is away at first', async () => {
  const { who, payment } = await open()
  asaas.failNext(500, `DELETE /v3/payments/${payment.id}`)
  const calls = asaas.calls.length
  await remove(who)
  await until(async () => asaas.calls.slice(calls).some(({ status }) => status === 500))
  expect([payment.deleted, await isGone(who)]).toEqual([false, false])
  await app.database.script(`update charges set due_at = now() where company_id = ${who.companyId}`)
  await until(async () => payment.deleted, 20_000)
  await until(() => isGone(who), 20_000)
})

test('what the provider reports of a payment after its company was deleted is no money again: only what is given back counts, each cent once', async () => {
  const { who, payment } = await open()
  asaas.pay(payment.id)
  await eventsDelivered()
  const paid = asaas.webhooks.events.at(-1)!
  asaas.refundPart(payment.id, 10)
  await eventsDelivered()
  await remove(who)
  await until(() => isGone(who), 20_000)
  expect(await valuesOf(payment)).toEqual([9_990, -1_000])
  const before = await copiesOf(payment)
  await notify(paid.body)
  const report = () =>
    notify({
      ...{ id: 'evt_late', event: 'PAYMENT_PARTIALLY_REFUNDED' },
      payment: { ...payment, status: 'RECEIVED', refunds: [{ status: 'DONE', value: 30 }] },
    })
  const answers = await Promise.all(Array.from({ length: 10 }, report))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(await valuesOf(payment)).toEqual([9_990, -1_000, -2_000])
  await notify({ id: 'evt_all', event: 'PAYMENT_REFUNDED', payment: { ...payment, status: 'REFUNDED' } })
  await report()
  expect((await copiesOf(payment)).slice(0, 2)).toEqual(before)
  expect(await valuesOf(payment)).toEqual([9_990, -1_000, -2_000, -6_990])
  expect(await paymentsNamed(payment)).toEqual([])
})

/** Commits `change` while something waits for it, which `meanwhile` begins. */
const committedLate = (change: ReturnType<typeof tag>, meanwhile: () => Promise<unknown>) =>
  // a connection of its own: those of the product are in use
  app.database.session(async sql => {
    await sql.execute(tag`begin`)
    // it is idle while it is waited for: the database would end it, and what it locked would be free
    await sql.execute(tag.raw(UNHURRIED))
    await sql.execute(change)
    const done = meanwhile()
    const blocked = tag`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => (await sqlOf(blocked)).length > 0, 20_000)
    await sql.execute(tag`commit`)
    await done
  })

test('an event that comes while its company is being deleted waits for the copies', async () => {
  const { who, payment } = await open()
  await app.database.script(`delete from charges where company_id = ${who.companyId}`)
  const reported = (status: string) =>
    notify({ id: `evt_${status}`, event: `PAYMENT_${status}`, payment: { ...payment, status } })
  await reported('RECEIVED')
  await committedLate(
    tag`with gone as (delete from payments where provider_id = ${payment.id} returning value)
      insert into former_receipts (day, value, source, provider, digest)
      select '2030-01-05', value, 'provider', 'asaas', ${digestOf(payment)} from gone`,
    async () => expect((await reported('REFUNDED')).status).toBe(200),
  )
  expect(await valuesOf(payment)).toEqual([9_990, -9_990])
  expect(await paymentsNamed(payment)).toEqual([])
})

test('a refund that is reported when its charge is just being deleted counts; one that is not reported is found by asking once more', async () => {
  const { who, payment } = await open()
  asaas.pay(payment.id)
  await eventsDelivered()
  asaas.webhooks.loseNext()
  asaas.refundPart(payment.id, 10)
  const reported = {
    ...{ id: 'evt_moment', event: 'PAYMENT_PARTIALLY_REFUNDED' },
    payment: { ...payment, refunds: [{ status: 'DONE', value: 10 }] },
  }
  await committedLate(tag`delete from charges where company_id = ${who.companyId}`, async () =>
    expect((await notify(reported)).status).toBe(200),
  )
  const refunds = tag`select r.value from payment_refunds r join payments p on p.id = r.payment_id where p.provider_id = ${payment.id}`
  expect(await sqlOf(refunds)).toEqual([{ value: 1_000 }])
  await remove(who)
  await until(() => isGone(who), 20_000)
  asaas.webhooks.loseNext()
  asaas.refundPart(payment.id, 20)
  expect(await valuesOf(payment)).toEqual([9_990, -1_000])
  for (const _ of [1, 2]) await askForCharges(app.platform, new Date())
  expect(await valuesOf(payment)).toEqual([9_990, -1_000, -2_000])
})

test('a refund that a master wants is asked for before its company is deleted, and counts when the provider has carried it out', async () => {
  const { who, id, payment } = await open()
  asaas.webhooks.loseNext()
  asaas.pay(payment.id)
  await master.get(invoices.pay, { params: { invoiceId: id }, body: { payDate: '2030-01-05' } })
  await askForCharges(app.platform, new Date())
  const params = { paymentId: (await scene.toReview(who))[0]!.id }
  asaas.failNext(500, `POST /v3/payments/${payment.id}/refund`)
  await master.get(payments.refund, { params, body: { reason: 'Pago duas vezes' } })
  await until(async () => asaas.calls.at(-1)!.status === 500)
  await remove(who)
  const leaving = await app.platform.scopes.platform().transaction(sql => leavingCompanies(sql, 100))
  expect(leaving.map(({ companyId }) => companyId)).not.toContain(who.companyId)
  asaas.delayRefund(payment.id)
  await app.database.script(`update payment_refunds set due_at = now() where company_id = ${who.companyId}`)
  await until(() => isGone(who), 20_000)
  expect([payment.refunds?.at(-1)?.status, await valuesOf(payment)]).toEqual(['PENDING', [9_990]])
  asaas.endRefund(payment.id, 'DONE')
  await eventsDelivered()
  expect(await valuesOf(payment)).toEqual([9_990, -9_990])
})

test('a refund that is carried out while its company is being deleted is among the copies, on the day on which it was', async () => {
  const { who, payment } = await open()
  asaas.pay(payment.id)
  await eventsDelivered()
  await app.database.script(`insert into payment_refunds (company_id, payment_id, value, state, due_at)
    select company_id, id, 3000, 'asked', now() + interval '1 day' from payments where provider_id = '${payment.id}'`)
  await committedLate(
    tag`update payment_refunds set state = 'done', done_at = '2031-03-04T12:00:00Z' where company_id = ${who.companyId}`,
    () => remove(who),
  )
  await until(() => isGone(who), 20_000)
  expect((await copiesOf(payment)).at(-1)).toEqual({ value: -3_000, day: '2031-03-04' })
})
