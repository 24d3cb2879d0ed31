import { setTimeout as pause } from 'node:timers/promises'
import { IMPORTED, IMPORTING } from '@balcao/contract/imports.ts'
import type { OldMessage } from '../../driver.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { markImport } from '../connections/connections.actions.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { contactsBehind, identifiersOf } from '../contacts/contacts.identifiers.queries.ts'
import { insertOld } from '../messages/history/imported.queries.ts'
import { named } from '../messages/inbound/lines.actions.ts'
import * as imported from '../tickets/moves/open.actions.ts'
import { importMoved } from './imports.events.ts'
import { advance, dequeueStaged, isImporting, lockImport } from './imports.queries.ts'

/** Messages of one commit: some hundredths of a second that live traffic may wait. */
const BATCH = 200
/** Commits of one piece: then the imports of other companies have their turn. */
const BATCHES = 5

interface Target {
  contactId: number
  ticketId: number
  /** The newest message comes first and may be the company's: only one of the customer has a name. */
  isNamed: boolean
}

/**
 * Imports the next staged messages of a connection, batch by batch. True where more may be staged. After a crash the uncommitted
 * ones are still staged.
 */
export async function importPiece(scope: Scope, whatsappId: number): Promise<boolean> {
  let targets = new Map<string, Target>()
  for (let left = BATCHES; left > 0; left--) {
    const began = performance.now()
    // a copy: what a try found that was not committed is not there
    const before = targets
    const batch = await scope.transaction(tx => importBatch(tx, whatsappId, new Map(before)))
    targets = batch.targets
    if (batch.count < BATCH) return false
    // live traffic goes first: a third of the time nothing is imported
    await pause((performance.now() - began) / 2)
  }
  return true
}

async function importBatch(tx: Tx, whatsappId: number, targets: Map<string, Target>) {
  await lockImport(tx, whatsappId)
  const old = await dequeueStaged(tx, whatsappId, BATCH)
  const rows = []
  for (const { nth, message } of old) {
    if (message.isToList && !(await isKnownHere(tx, message))) continue
    const chat = `${message.chat.kind} ${message.chat.value}`
    const known = targets.get(chat)
    const target =
      known && (known.isNamed || !nameIn(message)) ? known : await targetOf(tx, whatsappId, message)
    targets.set(chat, target)
    rows.push({
      contactId: target.contactId,
      ticketId: target.ticketId,
      event: await named(tx, message),
      nth,
    })
  }
  await insertOld(tx, whatsappId, rows)
  const { done, total, isWhole } = await advance(tx, whatsappId, { done: old.length })
  if (old.length > 0)
    tx.emit(importMoved, { action: 'update', status: { this: done, all: total, whatsappId } })
  if (isWhole && done >= total && (await isImporting(tx, whatsappId))) await finish(tx, whatsappId)
  return { count: old.length, targets }
}

/** What went to a list of recipients adds none of them. */
const isKnownHere = async (tx: Tx, { chat }: OldMessage) =>
  (await contactsBehind(tx, identifiersOf(chat))).length > 0

async function targetOf(tx: Tx, whatsappId: number, message: OldMessage): Promise<Target> {
  const name = nameIn(message)
  const contact = await recognize(tx, message.chat, name)
  const ticketId = await imported.ensureImported(tx, contact, whatsappId, message.at)
  return { contactId: contact.id, ticketId, isNamed: name !== '' }
}

/** Of a group, a message of the company has no name; of a person, a name is the customer's. */
const nameIn = ({ fromMe, name, chat }: OldMessage) => (fromMe && chat.kind === 'group' ? '' : name)

async function finish(tx: Tx, whatsappId: number) {
  const { closedTicketsPostImported } = await findConnection(tx, whatsappId)
  if (closedTicketsPostImported) return void (await closeImportedOf(tx, whatsappId))
  await markImport(tx, whatsappId, IMPORTED)
}

export async function closeImportedOf(tx: Tx, whatsappId: number) {
  await imported.closeImported(tx, whatsappId)
  const { done, total } = await advance(tx, whatsappId, {})
  await markImport(tx, whatsappId, done < total ? IMPORTING : '')
  tx.emit(importMoved, { action: 'closed', status: { this: done, all: total, whatsappId } })
}
