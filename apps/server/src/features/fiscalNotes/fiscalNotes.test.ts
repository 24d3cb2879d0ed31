import { companies } from '@balcao/contract/companies.ts'
import { FiscalSettings, fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { type ChargedCompany, type ChargeScene, openCharges } from '../../../testing/charges.ts'
import { playCollector } from '../../../testing/collectors.ts'
import { until } from '../../../testing/test-app.ts'
import { rowsFrom, sql as tag } from '../../platform/postgres/sql.ts'
import { settleNote } from './fiscalNotes.actions.ts'
import { noteNamed } from './fiscalNotes.queries.ts'
import { wantAllNotes } from './fiscalNotes.worker.ts'

let there: Awaited<ReturnType<typeof playCollector.asaas>>
let scene: ChargeScene
beforeAll(async () => {
  there = await playCollector.asaas()
  scene = await openCharges(there)
})
afterAll(async () => {
  await scene.app.close()
  expect([there.server.unknown, there.server.errors]).toEqual([[], []])
  await there.close()
})

const settings = FiscalSettings.parse({
  ...{ isOn: true, municipalServiceCode: '1.05', municipalServiceName: 'Licenciamento de software' },
  ...{ description: 'Atendimento por WhatsApp', iss: 2.5 },
})
const save = (body: z.input<typeof FiscalSettings>) => scene.master.call(fiscalNotes.save, { body })
const want = () => wantAllNotes(scene.app.platform.scopes)
/** An invoice that is paid at the provider, and its charge there. */
async function paid(who?: ChargedCompany) {
  const { who: payer, id, link } = await scene.open({}, who)
  const charge = there.charges().find(one => one.link === link)!
  there.pay(charge.id)
  await there.eventsDelivered()
  await want()
  return { who: payer, id, charge }
}
const notesOf = (charge: { id: string }) => there.server.notes.filter(({ payment }) => payment === charge.id)
/** Its id is stored, by which events find it. */
const isKnown = async (noteId: string) =>
  (await scene.app.platform.scopes.platform().transaction(sql => noteNamed(sql, noteId))) !== null
const failed = async () => (await scene.master.get(fiscalNotes.failed)).notes
const linkOf = async (who: ChargedCompany, id: number) => (await who.shown(id)).fiscalNoteUrl

test('payments that Asaas collects get a fiscal note once the operator switches them on, and its link is at the invoice', async () => {
  const before = await paid()
  const refused = await save({ ...settings, municipalServiceCode: '' })
  expect([refused.status, refused.body.field]).toEqual([400, 'municipalServiceCode'])
  expect((await scene.master.get(fiscalNotes.settings)).isOn).toBe(false)
  expect((await save(settings)).body).toEqual(settings)
  // another answer that is lost makes no second note
  there.loseAnswer('POST /v3/invoices')
  const { who, id, charge } = await paid()
  await until(async () => notesOf(charge).length > 0)
  await scene.app.database.script(`update fiscal_notes set due_at = now() where state = 'wanted'`)
  const note = await until(async () => notesOf(charge)[0])
  expect(note).toMatchObject({ value: 99.9, municipalServiceCode: '1.05', taxes: { iss: 2.5 } })
  await until(async () => {
    await scene.app.database.script(`update fiscal_notes set due_at = now() where state = 'wanted'`)
    return isKnown(note.id)
  })
  there.server.issueNote(note.id)
  await there.eventsDelivered()
  expect(await linkOf(who, id)).toBe(`https://sandbox.asaas.com/nfse/${note.id}.pdf`)
  await want()
  expect([notesOf(charge).length, notesOf(before.charge)]).toEqual([1, []])
  // its money pays another invoice
  await scene.master.get(invoices.cancel, { params: { invoiceId: id }, body: { reason: 'Troca' } })
  const next = await who.invoice({ startInvoicePeriod: '2030-02-01', endInvoicePeriod: '2030-02-28' })
  expect(await linkOf(who, next.id)).toBe(note.pdfUrl)
})

test('a note that the town refuses is shown to masters, who issue it again or do without', async () => {
  const { who, id, charge } = await paid()
  const note = await until(async () => notesOf(charge)[0])
  await until(() => isKnown(note.id))
  // an event whose note cannot be read holds up no other one
  there.failNext(404, `GET /v3/invoices/${note.id}`)
  there.server.refuseNote(note.id, 'Código de serviço inválido')
  await there.eventsDelivered()
  expect(await failed()).toEqual([])
  await scene.app.database.script(`update fiscal_notes set due_at = now() where state = 'asked'`)
  const [shown] = await until(async () => {
    const found = await failed()
    return found.length > 0 && found
  })
  expect(shown).toMatchObject({
    companyId: who.companyId,
    value: 9_990,
    problem: 'Código de serviço inválido',
  })
  const params = { companyId: shown!.companyId, noteId: shown!.id }
  const other = { ...params, companyId: (await scene.payer()).companyId }
  expect((await scene.master.call(fiscalNotes.again, { params: other })).status).toBe(404)
  await save({ ...settings, municipalServiceCode: '1.07' })
  await scene.master.get(fiscalNotes.again, { params })
  await until(async () => note.status === 'SYNCHRONIZED')
  expect([note, notesOf(charge).length]).toMatchObject([{ municipalServiceCode: '1.07' }, 1])
  there.server.issueNote(note.id)
  await there.eventsDelivered()
  expect([await failed(), await linkOf(who, id)]).toEqual([[], note.pdfUrl])
  // the invoice was paid in two parts, and the note of the other one is refused
  const { scopes } = scene.app.platform
  const [noted] = await scopes.platform().transaction(sql =>
    rowsFrom<{ id: number }>(
      sql,
      tag`with paid as (insert into payments (company_id, source, value, paid_on)
          values (${who.companyId}, 'manual', 100, '2026-11-02') returning id),
        pays as (insert into payment_allocations (company_id, payment_id, invoice_id, value)
          select ${who.companyId}, id, ${id}, 100 from paid)
        insert into fiscal_notes (company_id, payment_id, due_at)
        select ${who.companyId}, id, now() + interval '1 day' from paid returning id`,
    ),
  )
  const refused = {
    noteId: 'inv_other',
    status: 'failed' as const,
    number: '',
    pdfUrl: '',
    problem: 'Sem CNAE',
  }
  await scopes.inCompany(who.companyId).transaction(tx => settleNote(tx, { payee: null }, noted!.id, refused))
  expect(await linkOf(who, id)).toBe(note.pdfUrl)
  await scene.master.get(fiscalNotes.dismiss, { params: { companyId: who.companyId, noteId: noted!.id } })

  // one that Asaas itself refuses
  there.failNext(400, 'POST /v3/invoices')
  await paid(who)
  const again = await until(async () => (await failed())[0])
  await scene.master.get(fiscalNotes.dismiss, {
    params: { companyId: again.companyId, noteId: again.id },
  })
  expect(await failed()).toEqual([])
  await save({ isOn: false })
})

test('what who pays late is asked for is sent to Asaas with the charge', async () => {
  for (const [settingKey, value] of [
    ['lateFine', '2'],
    ['lateInterest', '1.5'],
  ] as const)
    await scene.master.get(companies.changeSetting, { params: { settingKey }, body: { value } })
  const { id, link } = await scene.open()
  const made = there.server.payments.find(({ invoiceUrl }) => invoiceUrl === link)
  expect(made).toMatchObject({ fine: { value: 2, type: 'PERCENTAGE' }, interest: { value: 1.5 } })
  expect((await scene.master.call(invoices.remove, { params: { invoiceId: id } })).status).toBe(200)
})
