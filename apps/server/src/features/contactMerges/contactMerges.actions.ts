import type { ContactMerge, KeptSides } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { refuse } from '../../platform/errors.ts'
import { removeFiles } from '../../platform/files.served.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { emitContact, joinContacts } from '../contacts/contacts.actions.ts'
import {
  addressesOf,
  bringBack,
  forgetIdentifiers,
  type GoneContact,
  holdContact,
  moveIdentifiers,
  writeFacts,
} from '../contacts/contacts.facts.ts'
import { findContact } from '../contacts/contacts.queries.ts'
import { contactMergeChanged, contactsParting } from './contactMerges.events.ts'
import { mergedFacts, partedFacts } from './contactMerges.facts.ts'
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

interface Pair {
  into: number
  from: number
}

/**
 * Makes one contact of two, in one commit: what hangs on `from` hangs on `into`, and what `from` was found by leads
 * there. Refuses with ERR_NO_CONTACT_FOUND, and ERR_BAD_REQUEST for a contact with itself and for groups.
 */
export const mergeContacts = (
  scope: Scope,
  { into, from, keep }: Pair & { keep: KeptSides },
): Promise<{ merge: ContactMerge; contact: Contact }> =>
  scope.transaction(async tx => {
    const [stays, goes] = await holdBoth(tx, { into, from })
    const after = mergedFacts(stays.facts, goes.facts, keep)
    const mergeId = await insertMerge(tx, { into, from, before: stays.facts, after, gone: goes })
    await moveIdentifiers(tx, from, into)
    await writeFacts(tx, into, after)
    await joinContacts(tx, from, into, mergeId)
    tx.emit(contactMergeChanged, { action: 'merge', mergeId, into, from })
    tx.note('two contacts became one', { mergeId, into, from })
    return { merge: await findMerge(tx, mergeId), contact: await emitContact(tx, into, false) }
  })

/**
 * Two contacts again, as they were; what somebody changed since stays changed, and what each wrote since is its own.
 * Refuses with ERR_NOT_FOUND when the day is over or it was undone before, with ERR_NO_CONTACT_FOUND when who stayed is
 * gone by now.
 */
export const undoMerge = (scope: Scope, mergeId: number): Promise<{ into: Contact; from: Contact }> =>
  scope.transaction(async tx => {
    const { intoId: into, fromId: from, before, after, gone, at } = await lockMerge(tx, mergeId)
    const { facts: now } = await holdContact(tx, into)
    await bringBack(tx, withPicture(gone, after.profilePicUrl !== now.profilePicUrl && after.profilePicUrl))
    await moveIdentifiers(tx, into, from, gone.facts.identifiers)
    const parted = partedFacts(now, { before, after, gone: gone.facts })
    await forgetIdentifiers(tx, into, [...before.identifiers, ...addressesOf(parted)])
    await writeFacts(tx, into, parted)
    await tx.involve(contactsParting, { mergeId, into, from, at })
    await deleteMerge(tx, mergeId)
    tx.emit(contactMergeChanged, { action: 'undo', mergeId, into, from })
    tx.note('a merge of two contacts was undone', { mergeId, into, from })
    return { into: await emitContact(tx, into, false), from: await emitContact(tx, from, true) }
  })

/** Two contacts are two people. Refuses with ERR_NO_CONTACT_FOUND, ERR_BAD_REQUEST. */
export const keepApart = (scope: Scope, { into, from }: Pair): Promise<void> =>
  scope.transaction(async tx => {
    for (const contactId of [into, from]) await findContact(tx, contactId)
    if (into === from) return refuse('ERR_BAD_REQUEST', { field: 'from' })
    await writeApart(tx, Math.min(into, from), Math.max(into, from))
  })

/** A contact is removed for good: nothing can be put back that went into it. */
export const forgetMergesInto = async (tx: Tx, contactId: number): Promise<void> =>
  removePictures(tx, await deleteMergesInto(tx, contactId))

/** Merges whose day is over stand; what was kept to undo them goes. */
export const forgetOverdue = async (tx: Tx): Promise<void> => removePictures(tx, await deleteOverdue(tx))

/** In one order, so that of two that are merged into each other one waits. */
async function holdBoth(tx: Tx, { into, from }: Pair): Promise<[GoneContact, GoneContact]> {
  const held = new Map<number, GoneContact>()
  for (const contactId of [into, from].toSorted((a, b) => a - b))
    held.set(contactId, await holdContact(tx, contactId))
  const [stays, goes] = [held.get(into)!, held.get(from)!]
  if (into === from) refuse('ERR_BAD_REQUEST', { field: 'from' })
  if (stays.row.isGroup) refuse('ERR_BAD_REQUEST', { field: 'into' })
  if (goes.row.isGroup) refuse('ERR_BAD_REQUEST', { field: 'from' })
  return [stays, goes]
}

/** A picture that the other one had from it was replaced since, and its file is gone. */
function withPicture(gone: GoneContact, replaced: string | false): GoneContact {
  const isLost = gone.row.profilePicUrl !== '' && gone.row.profilePicUrl === replaced
  return isLost ? { ...gone, row: { ...gone.row, profilePicUrl: '' } } : gone
}

/** Pictures that nobody shows any more. */
const removePictures = (tx: Tx, merges: MergeRecord[]) =>
  removeFiles(
    tx,
    merges.flatMap(({ before, gone, after }) =>
      [before.profilePicUrl, gone.row.profilePicUrl].filter(url => url !== '' && url !== after.profilePicUrl),
    ),
  )
