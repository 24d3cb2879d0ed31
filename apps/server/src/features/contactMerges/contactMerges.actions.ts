import type { ContactMerge, KeptSides } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files/served.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitContact, joinContacts } from '../contacts/contacts.actions.ts'
import {
  type GoneContact,
  lockFacts,
  restoreContact,
  writeFacts,
} from '../contacts/contacts.facts.queries.ts'
import { addressesOf, forgetIdentifiers, moveIdentifiers } from '../contacts/contacts.identifiers.queries.ts'
import { emitOwners } from '../contacts/contacts.owners.actions.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { contactMergeChanged, contactsParting } from './contactMerges.events.ts'
import {
  deleteMerge,
  deleteMergesInto,
  deleteOverdue,
  findMerge,
  insertMerge,
  lockMerge,
  type MergeRecord,
  writeApart,
} from './contactMerges.queries.ts'
import { mergedFacts, partedFacts } from './contactMerges.rules.ts'

interface Pair {
  into: number
  from: number
}

/**
 * Merges contact `from` into `into`, with its owned records and identifiers. Refuses with ERR_NO_CONTACT_FOUND, and
 * ERR_BAD_REQUEST for a contact with itself and for groups.
 */
export const mergeContacts = (
  scope: Scope,
  { into, from, keep }: Pair & { keep: KeptSides },
): Promise<{ merge: ContactMerge; contact: Contact }> =>
  scope.transaction(async tx => {
    const [stays, goes] = await lockBoth(tx, { into, from })
    const after = mergedFacts(stays.facts, goes.facts, keep)
    const mergeId = await insertMerge(tx, { into, from, before: stays.facts, after, gone: goes })
    await moveIdentifiers(tx, from, into)
    await writeFacts(tx, into, after)
    await joinContacts(tx, from, into, mergeId)
    tx.emit(contactMergeChanged, { action: 'merge', mergeId, into, from })
    tx.note('two contacts became one', { mergeId, into, from })
    return { merge: await findMerge(tx, mergeId), contact: await emitContact(tx, into, { created: false }) }
  })

/**
 * Undoes a merge: both contacts are as before, but for fields changed since; messages since then go to the contact who
 * wrote them. Refuses with ERR_NOT_FOUND after UNDO_HOURS or when undone before, with ERR_NO_CONTACT_FOUND when the
 * merged contact was deleted.
 */
export const undoMerge = (scope: Scope, mergeId: number): Promise<{ into: Contact; from: Contact }> =>
  scope.transaction(async tx => {
    const { intoId: into, fromId: from, before, after, gone, at } = await lockMerge(tx, mergeId)
    const { facts: now } = await lockFacts(tx, into)
    await restoreContact(
      tx,
      withPicture(gone, after.profilePicUrl !== now.profilePicUrl && after.profilePicUrl),
    )
    await moveIdentifiers(tx, into, from, gone.facts.identifiers)
    const parted = partedFacts(now, { before, after, gone: gone.facts })
    await forgetIdentifiers(tx, into, [...before.identifiers, ...addressesOf(parted)])
    await writeFacts(tx, into, parted)
    await tx.involve(contactsParting, { mergeId, into, from, at })
    await deleteMerge(tx, mergeId)
    emitOwners(tx, [now.ownerId, parted.ownerId, gone.facts.ownerId])
    tx.emit(contactMergeChanged, { action: 'undo', mergeId, into, from })
    tx.note('a merge of two contacts was undone', { mergeId, into, from })
    return {
      into: await emitContact(tx, into, { created: false }),
      from: await emitContact(tx, from, { created: true }),
    }
  })

/** Marks two contacts as different people: they are no longer suggested. Refuses with ERR_NO_CONTACT_FOUND, ERR_BAD_REQUEST. */
export const keepApart = (scope: Scope, { into, from }: Pair): Promise<void> =>
  scope.transaction(async tx => {
    for (const contactId of [into, from]) await findContact(tx, contactId)
    if (into === from) return refuse('ERR_BAD_REQUEST', { field: 'from' })
    await writeApart(tx, Math.min(into, from), Math.max(into, from))
  })

export const forgetMergesInto = async (tx: Tx, contactId: number): Promise<void> =>
  removePictures(tx, await deleteMergesInto(tx, contactId))

export const forgetOverdue = async (tx: Tx): Promise<void> => removePictures(tx, await deleteOverdue(tx))

/** In the order of ids: concurrent merges of the same contacts cannot deadlock. */
async function lockBoth(tx: Tx, { into, from }: Pair): Promise<[GoneContact, GoneContact]> {
  const locked = new Map<number, GoneContact>()
  for (const contactId of [into, from].toSorted((a, b) => a - b))
    locked.set(contactId, await lockFacts(tx, contactId))
  const [stays, goes] = [locked.get(into)!, locked.get(from)!]
  if (into === from) refuse('ERR_BAD_REQUEST', { field: 'from' })
  if (stays.row.isGroup) refuse('ERR_BAD_REQUEST', { field: 'into' })
  if (goes.row.isGroup) refuse('ERR_BAD_REQUEST', { field: 'from' })
  return [stays, goes]
}

/** Without the picture if the merged contact had it and has another since: its file is deleted. */
function withPicture(gone: GoneContact, replaced: string | false): GoneContact {
  const isLost = gone.row.profilePicUrl !== '' && gone.row.profilePicUrl === replaced
  return isLost ? { ...gone, row: { ...gone.row, profilePicUrl: '' } } : gone
}

const removePictures = (tx: Tx, merges: MergeRecord[]) =>
  removeFiles(
    tx,
    merges.flatMap(({ before, gone, after }) =>
      [before.profilePicUrl, gone.row.profilePicUrl].filter(url => url !== '' && url !== after.profilePicUrl),
    ),
  )
