import { randomUUID } from 'node:crypto'
import { noticeText } from '@balcao/contract/billingNotices.rules.ts'
import type { NoticeTrial } from '@balcao/contract/billingNotices.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { notificationCentre } from '../connections/connections.queries.ts'
import { sayByCentre } from './billingNotices.send.ts'
import { findTemplate, wholeWords } from './billingNotices.templates.ts'
import { noticeLetter, valuesFor } from './billingNotices.words.ts'

const SAMPLE = { kind: 'invoiceCreated', contactName: 'Maria Souza' } as const

/** An invoice that nobody owes. */
function sampleInvoice() {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  return { startInvoicePeriod: day(5), endInvoicePeriod: day(34), dueDate: day(5), value: 9_990 }
}

/**
 * Sends a sample of a template at once. Refuses with ERR_NOT_FOUND, ERR_NO_MAIL, ERR_MAIL_REFUSED,
 * ERR_NO_DEF_WAPP_FOUND, ERR_WAPP_NOT_INITIALIZED, ERR_WAPP_INVALID_CONTACT, ERR_WAPP_WINDOW_CLOSED.
 */
export async function tryTemplate(
  { scopes, mail, config, log }: Platform,
  templateId: number,
  { email, whatsapp }: NoticeTrial,
): Promise<void> {
  const platform = scopes.platform()
  const words = wholeWords(await platform.transaction(sql => findTemplate(sql, templateId)))
  const id = randomUUID()
  const values = valuesFor(config.backendUrl, { ...SAMPLE, id }, sampleInvoice())
  if (email !== '') {
    if (!mail.isSetUp) refuse('ERR_NO_MAIL', { field: 'email' })
    await mail.send({ id, to: email, letter: noticeLetter(words, values), link: null }).catch(error => {
      log.warn({ err: error }, 'a sample of a notice was not taken')
      return refuse('ERR_MAIL_REFUSED', { field: 'email' })
    })
  }
  if (whatsapp === '') return
  const centre =
    (await platform.transaction(notificationCentre)) ?? refuse('ERR_NO_DEF_WAPP_FOUND', { field: 'whatsapp' })
  const speech = { id, name: SAMPLE.contactName, number: whatsapp, text: noticeText(words.textWp, values) }
  const refused = await platform
    .inCompany(centre.companyId)
    .transaction(tx => sayByCentre(tx, centre, speech))
  if (refused) refuse(refused, { field: 'whatsapp' })
}
