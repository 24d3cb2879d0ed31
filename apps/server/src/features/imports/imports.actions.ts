import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '@balcao/contract/connections.ts'
import { IMPORTED, IMPORTING } from '@balcao/contract/imports.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitConnectionChanged, markImport } from '../connections/connections.actions.ts'
import { findConnection } from '../connections/connections.queries.ts'
import { recognize } from '../contacts/contacts.actions.ts'
import { insertOld } from '../messages/messages.old.ts'
import * as imported from '../tickets/tickets.imported.ts'
import { importMoved } from './imports.events.ts'
import { advance, dequeueStaged, isImporting, lockImport, type OldMessage } from './imports.queries.ts'

/** So many are taken in with one commit: a few hundredths of a second, in which live traffic may have to wait. */
const BATCH = 200

interface Place {
  contactId: number
  ticketId: number
  /** Phones hand over the newest first, which may be ours: the first that is theirs says who they are. */
  isNamed: boolean
}

/** Takes in all that waits on a connection, batch by batch. A crash loses nothing: what was not committed waits still. */
export async function importStaged(scope: Scope, whatsappId: number): Promise<void> {
  const places = new Map<string, Place>()
  for (;;) {
    const began = performance.now()
    const taken = await scope.transaction(tx => takeInSome(tx, whatsappId, places))
    if (taken === 0) return
    // Whoever talks now comes first: a third of the time nothing is imported.
    await pause((performance.now() - began) / 2)
  }
}

async function takeInSome(tx: Tx, whatsappId: number, places: Map<string, Place>): Promise<number> {
  await lockImport(tx, whatsappId)
  const old = await dequeueStaged(tx, whatsappId, BATCH)
  const rows = []
  for (const { nth, heard } of old) {
    const chat = `${heard.chat.kind} ${heard.chat.value}`
    const known = places.get(chat)
    const place = known && (known.isNamed || !nameIn(heard)) ? known : await placeOf(tx, whatsappId, heard)
    places.set(chat, place)
    rows.push({ contactId: place.contactId, ticketId: place.ticketId, heard, nth })
  }
  await insertOld(tx, whatsappId, rows)
  const { done, total, isWhole } = await advance(tx, whatsappId, { done: old.length })
  if (old.length > 0)
    tx.emit(importMoved, { action: 'update', status: { this: done, all: total, whatsappId } })
  if (isWhole && done >= total && (await isImporting(tx, whatsappId))) await finish(tx, whatsappId)
  return old.length
}

async function placeOf(tx: Tx, whatsappId: number, heard: OldMessage): Promise<Place> {
  const name = nameIn(heard)
  const contact = await recognize(tx, heard.chat, name)
  const ticketId = await imported.ensureImported(tx, contact, whatsappId, heard.at)
  return { contactId: contact.id, ticketId, isNamed: name !== '' }
}

/** Our own words name nobody. */
const nameIn = ({ fromMe, name }: OldMessage) => (fromMe ? '' : name)

async function finish(tx: Tx, whatsappId: number) {
  const { closedTicketsPostImported } = await findConnection(tx, whatsappId)
  if (closedTicketsPostImported) return void (await closeAll(tx, whatsappId))
  await markImport(tx, whatsappId, IMPORTED)
}

/** Closes the tickets that an import made and nobody took up. Refuses with ERR_NO_WAPP_FOUND. */
export const closeImportedTickets = (scope: Scope, whatsappId: number): Promise<Connection> =>
  scope.transaction(async tx => {
    await findConnection(tx, whatsappId)
    await closeAll(tx, whatsappId)
    return emitConnectionChanged(tx, whatsappId)
  })

async function closeAll(tx: Tx, whatsappId: number) {
  await imported.closeImported(tx, whatsappId)
  const { done, total } = await advance(tx, whatsappId, {})
  await markImport(tx, whatsappId, done < total ? IMPORTING : '')
  tx.emit(importMoved, { action: 'closed', status: { this: done, all: total, whatsappId } })
}
