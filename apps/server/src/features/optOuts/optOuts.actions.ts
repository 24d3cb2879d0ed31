import { randomUUID } from 'node:crypto'
import { phoneKey } from '@balcao/contract/contacts.rules.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { isStopWord } from '@balcao/contract/optOuts.rules.ts'
import type { OptOut, OptOutSettings } from '@balcao/contract/optOuts.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { PayloadOf } from '../../platform/events.ts'
import { type Scope, type Tx, viewerOf } from '../../platform/scope.ts'
import { connectionsUnderWay } from '../connections/connections.queries.ts'
import {
  contactsBehind,
  identifiersOf,
  identifiersOfContact,
} from '../contacts/contacts.identifiers.queries.ts'
import { numberMeant } from '../contacts/contacts.numbers.actions.ts'
import { findCustomer } from '../contacts/contacts.owners.queries.ts'
import { post } from '../messages/messages.actions.ts'
import type { marketingChosen, marketingRefused, ReceivedMessage } from '../messages/messages.events.ts'
import { closeUnanswered } from '../tickets/moves/closing.actions.ts'
import { contactOptedOut, optOutChanged } from './optOuts.events.ts'
import {
  answeredCampaign,
  contactIdOf,
  deleteMadeInWhatsApp,
  deleteOptOut,
  findOptOut,
  insertOptOut,
  isNewChoice,
  optOutLookup,
  optOutNoted,
  optOutOf,
  optOutSettingsOf,
  phoneOf,
  saveOptOutSettings,
  usualOptOutSettings,
} from './optOuts.queries.ts'

/** A user adds an opt-out; a second one returns the first. Refuses with ERR_NO_CONTACT_FOUND, ERR_BAD_REQUEST without a number, and as `numberMeant`. */
export const addOptOut = (
  scope: Scope,
  { contactId, number }: { contactId?: number | null | undefined; number?: string | undefined },
): Promise<OptOut> =>
  scope.transaction(async tx => {
    if (contactId) await findCustomer(tx, contactId)
    const phone = contactId ? await phoneOf(tx, contactId) : await phoneFrom(tx, number)
    if (!phone) return refuse('ERR_BAD_REQUEST', { field: 'number', message: 'Required' })
    const added = await addAndPublish(tx, phone, { source: 'person', userId: viewerOf(tx).id })
    return optOutNoted(tx, added.id)
  })

/** Refuses with ERR_NOT_FOUND. */
export const removeOptOut = (scope: Scope, optOutId: number): Promise<void> =>
  scope.transaction(async tx => {
    await findOptOut(tx, optOutId)
    const contactId = await contactIdOf(tx, optOutId)
    await deleteOptOut(tx, optOutId)
    tx.emit(optOutChanged, { action: 'delete', contactId })
  })

export const changeSettings = (scope: Scope, settings: OptOutSettings): Promise<OptOutSettings> =>
  scope.transaction(async tx => {
    await saveOptOutSettings(tx, settings)
    return optOutSettingsOf(tx)
  })

/**
 * A customer whom a campaign reached lately sends only a stop word: added and confirmed in the commit of that message, whose
 * ticket is closed where it opened it. True: it is the answer.
 */
export async function onStopWord(tx: Tx, received: ReceivedMessage): Promise<boolean> {
  const { ticket, message, isNew: opensTicket } = received
  if (ticket.isGroup) return false
  const { isOn, words, reply } = optOutLookup.of(received) ?? usualOptOutSettings
  if (!isOn || !isStopWord(message.body, words) || !(await answeredCampaign(tx, ticket.contactId)))
    return false
  const phone = await phoneOf(tx, ticket.contactId)
  if (!phone) return false
  const { isNew } = await addAndPublish(tx, phone, { source: 'word', word: cut(message.body.trim(), 100) })
  await tx.involve(contactOptedOut, { contactId: ticket.contactId, whatsappId: ticket.whatsappId })
  if (isNew && reply.trim()) await confirm(tx, ticket, reply)
  if (opensTicket && ticket.userId === null) await closeUnanswered(tx, ticket.id)
  return true
}

/**
 * A person stopped or resumed marketing in WhatsApp itself: the later choice counts, whatever comes first. What a stop word or
 * a user set is not lifted by it.
 */
export async function onChoice(
  tx: Tx,
  { chat, isWanted, at, whatsappId }: PayloadOf<typeof marketingChosen>,
): Promise<void> {
  const identifiers = identifiersOf(chat)
  const [contact] = await contactsBehind(tx, identifiers)
  const phone = contact && (await phoneOf(tx, contact.id))
  const key = phone?.key ?? identifiers[0]!.value
  if (!(await isNewChoice(tx, { key, isWanted, at }))) return
  const contactId = contact?.id ?? null
  if (isWanted) {
    const known = contact ? await identifiersOfContact(tx, contact.id) : []
    const keys = [...identifiers, ...known].flatMap(({ kind, value }) =>
      kind === 'phone' || kind === 'cloud' ? value : [],
    )
    if (await deleteMadeInWhatsApp(tx, keys)) tx.emit(optOutChanged, { action: 'delete', contactId })
    return
  }
  const number = phone?.number ?? (chat.kind === 'phone' ? chat.value : '')
  await addAndPublish(tx, { key, number }, { source: 'whatsapp' })
  if (contact) await tx.involve(contactOptedOut, { contactId: contact.id, whatsappId })
}

/** WhatsApp refused marketing to a person who had stopped it; a later choice is kept. */
export async function onRefusal(
  tx: Tx,
  { contactId, at }: PayloadOf<typeof marketingRefused>,
): Promise<void> {
  const phone = await phoneOf(tx, contactId)
  if (phone && (await isNewChoice(tx, { key: phone.key, isWanted: false, at })))
    await addAndPublish(tx, phone, { source: 'whatsapp' })
}

async function addAndPublish(
  tx: Tx,
  phone: { key: string; number: string },
  origin: { source: OptOut['source']; word?: string; userId?: number },
): Promise<{ id: number; isNew: boolean }> {
  const { id, isNew } = await insertOptOut(tx, { ...phone, ...origin })
  tx.emit(optOutChanged, { action: 'create', contactId: await contactIdOf(tx, id) })
  return { id, isNew }
}

/** For a contact that is shown. Refuses with ERR_NO_CONTACT_FOUND. */
export async function showOptOut(tx: Tx, contactId: number): Promise<OptOut | null> {
  await findCustomer(tx, contactId)
  return optOutOf(tx, contactId)
}

async function phoneFrom(tx: Tx, written = '') {
  if (written.replace(/\D/g, '').length < 8) return null
  const number = await numberMeant(tx, written)
  return { key: phoneKey(number), number }
}

async function confirm(tx: Tx, { id: ticketId, contactId, whatsappId }: Ticket, body: string) {
  if (whatsappId === null || !(await connectionsUnderWay(tx)).includes(whatsappId)) return
  const createdAt = new Date(databaseNow() + 1).toISOString()
  const fields = { id: randomUUID(), ticketId, contactId, whatsappId, body, createdAt }
  await post(tx, [{ ...fields, source: 'greeting', userId: null }], 'aside')
}
