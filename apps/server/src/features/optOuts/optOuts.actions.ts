import { randomUUID } from 'node:crypto'
import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import { isStopWord } from '@balcao/contract/optOuts.rules.ts'
import type { OptOut, OptOutSettings } from '@balcao/contract/optOuts.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../platform/errors.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { connectionsUnderWay } from '../connections/connections.queries.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { contactOptedOut, optOutChanged } from './optOuts.events.ts'
import { findOptOut, heardCampaign, optOutOf, optOutSettingsOf, phoneOf } from './optOuts.queries.ts'
import { optOutSettings, optOuts } from './optOuts.table.ts'

/**
 * Somebody of the company notes it. The same again answers what was noted first. Refuses with ERR_NO_CONTACT_FOUND, and
 * ERR_BAD_REQUEST without a number.
 */
export const addOptOut = (
  scope: Scope,
  { contactId, number }: { contactId?: number | null | undefined; number?: string | undefined },
): Promise<OptOut> =>
  scope.transaction(async tx => {
    if (contactId) await findContact(tx, contactId)
    const phone = contactId ? await phoneOf(tx, contactId) : given(number)
    if (!phone) return refuse('ERR_BAD_REQUEST', { field: 'number', message: 'Required' })
    const added = await keep(tx, phone, { source: 'person', userId: viewerOf(tx).id })
    return findOptOut(tx, added.id)
  })

/** Refuses with ERR_NOT_FOUND. */
export const removeOptOut = (scope: Scope, optOutId: number): Promise<void> =>
  scope.transaction(async tx => {
    const { contact } = await findOptOut(tx, optOutId)
    await tx.sql.delete(optOuts).where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.id, optOutId)))
    tx.emit(optOutChanged, { action: 'delete', contactId: contact?.id ?? null })
  })

export const changeSettings = (scope: Scope, settings: OptOutSettings): Promise<OptOutSettings> =>
  scope.transaction(async tx => {
    await tx.sql
      .insert(optOutSettings)
      .values({ ...settings, companyId: tx.companyId })
      .onConflictDoUpdate({ target: optOutSettings.companyId, set: settings })
    return optOutSettingsOf(tx)
  })

/**
 * A customer whom a campaign wrote to lately asks for no more, with nothing but a stop word: noted and answered within
 * the commit that writes the word down. Nobody else answers it.
 */
export async function hearStopWord(
  tx: Tx,
  { ticket, message, answers }: { ticket: Ticket; message: Message; answers: { by: string | null } },
): Promise<void> {
  if (answers.by || ticket.isGroup) return
  const { isOn, words, reply } = await optOutSettingsOf(tx)
  if (!isOn || !isStopWord(message.body, words) || !(await heardCampaign(tx, ticket.contactId))) return
  const phone = await phoneOf(tx, ticket.contactId)
  if (!phone) return
  answers.by = 'optOuts'
  const { isNew } = await keep(tx, phone, { source: 'word', word: message.body.trim().slice(0, 100) })
  await tx.involve(contactOptedOut, { contactId: ticket.contactId, whatsappId: ticket.whatsappId })
  if (isNew && reply.trim()) await confirm(tx, ticket, reply)
}

async function keep(
  tx: Tx,
  phone: { key: string; number: string },
  said: { source: OptOut['source']; word?: string; userId?: number },
): Promise<{ id: number; isNew: boolean }> {
  const [added] = await tx.sql
    .insert(optOuts)
    .values({ ...phone, ...said, companyId: tx.companyId })
    .onConflictDoNothing()
    .returning({ id: optOuts.id })
  const [row] = added
    ? [added]
    : await tx.sql
        .select({ id: optOuts.id })
        .from(optOuts)
        .where(and(eq(optOuts.companyId, tx.companyId), eq(optOuts.key, phone.key)))
  const { contact } = await findOptOut(tx, row!.id)
  tx.emit(optOutChanged, { action: 'create', contactId: contact?.id ?? null })
  return { id: row!.id, isNew: added !== undefined }
}

/** For a contact that is shown. Refuses with ERR_NO_CONTACT_FOUND. */
export async function showOptOut(tx: Tx, contactId: number): Promise<OptOut | null> {
  await findContact(tx, contactId)
  return optOutOf(tx, contactId)
}

function given(number = '') {
  const digits = number.replace(/\D/g, '')
  return digits.length >= 8 ? { key: phoneKey(digits), number: digits } : null
}

async function confirm(tx: Tx, { id: ticketId, contactId, whatsappId }: Ticket, body: string) {
  if (whatsappId === null || !(await connectionsUnderWay(tx)).includes(whatsappId)) return
  const createdAt = new Date(Date.now() + 1).toISOString()
  const fields = { id: randomUUID(), ticketId, contactId, whatsappId, body, createdAt }
  await post(tx, { ...fields, source: 'greeting', userId: null }, 'aside')
}
