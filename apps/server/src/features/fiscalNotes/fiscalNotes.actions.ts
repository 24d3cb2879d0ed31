import type { FiscalSettings } from '@balcao/contract/fiscalNotes.ts'
import type { NoteState } from '../../payments/payments.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { PlatformScope, Tx } from '../../platform/scope.ts'
import { fromNow } from '../../platform/work/leases.ts'
import { markInvoice } from '../invoices/invoices.actions.ts'
import { holdSubscription } from '../invoices/invoices.hold.actions.ts'
import { invoicesPaidBy, updatePayment } from '../invoices/invoices.ledger.queries.ts'
import { lockInvoice } from '../invoices/invoices.queries.ts'
import type { InvoiceWriting } from '../invoices/invoices.settle.actions.ts'
import { fiscalSettings, lockNote, storeSettings, updateNote } from './fiscalNotes.queries.ts'

/** Switched on, payments from now on get a note; changed while it is on, those since then. */
export const saveFiscalSettings = (platform: PlatformScope, settings: FiscalSettings) =>
  platform.transaction(async sql => {
    const before = await fiscalSettings(sql)
    const since = settings.isOn ? (before.since ?? databaseTime()) : null
    await storeSettings(sql, { settings, since })
    return settings
  })

/** While the town does not answer, the provider is asked again after so long (ms). */
const ASK_MS = 3_600_000

/**
 * Writes what the provider reports of a note, and its address at the payment and the invoices that it pays. Locks as `holdSubscription`.
 * A note that a master dismissed stays so.
 */
export async function settleNote(
  tx: Tx,
  { payee }: Pick<InvoiceWriting, 'payee'>,
  id: number,
  { noteId, status, number, pdfUrl, problem }: NoteState,
): Promise<void> {
  await holdSubscription(tx)
  const note = await lockNote(tx, id)
  if (!note || note.state === 'dismissed') return
  const isNew = note.state !== status
  await updateNote(tx, id, {
    ...{ noteId, state: status, number, pdfUrl, problem },
    ...(status === 'asked' && { dueAt: fromNow(ASK_MS) }),
  })
  const fiscalNoteUrl = status === 'issued' ? pdfUrl : ''
  // what it pays later has its note, too
  await updatePayment(tx, note.paymentId, { fiscalNoteUrl })
  if (fiscalNoteUrl !== note.pdfUrl || isNew)
    for (const invoiceId of await invoicesPaidBy(tx, note.paymentId)) {
      const shown = (await lockInvoice(tx, invoiceId)).fiscalNoteUrl
      // the note of another payment of it stays
      if (fiscalNoteUrl !== '' || (shown !== '' && shown === note.pdfUrl))
        await markInvoice(tx, payee, invoiceId, { fiscalNoteUrl })
    }
  if (isNew) tx.note('a fiscal note changed', { paymentId: note.paymentId, status })
}

/** It is issued anew after a refusal. Refuses with ERR_NOT_FOUND. */
export const issueAgain = (platform: PlatformScope, companyId: number, id: number) =>
  ofFailed(platform, companyId, id, { state: 'wanted', attempts: 0, dueAt: fromNow(0) })

/** None is issued after a refusal. Refuses with ERR_NOT_FOUND. */
export const dismissNote = (platform: PlatformScope, companyId: number, id: number) =>
  ofFailed(platform, companyId, id, { state: 'dismissed' })

const ofFailed = (
  platform: PlatformScope,
  companyId: number,
  id: number,
  values: Parameters<typeof updateNote>[2],
) =>
  platform.inCompany(companyId).transaction(async tx => {
    const note = await lockNote(tx, id)
    if (note?.state !== 'failed') return refuse('ERR_NOT_FOUND')
    await updateNote(tx, id, values)
  })
