import { within } from '../../platform/events.ts'
import { filesAsked, removeFiles } from '../../platform/files/served.ts'
import type { Tx } from '../../platform/scope.ts'
import { connectionLeaving } from '../connections/connections.events.ts'
import { contactsParting } from '../contactMerges/contactMerges.events.ts'
import { contactDeleting, contactExported, contactsMerging } from '../contacts/contacts.events.ts'
import { messagesSettled } from '../messages/messages.events.ts'
import { queueLeaving } from '../queues/queues.events.ts'
import { belongingsAsked, userDeleting } from '../users/users.events.ts'
import { schedulesChanged } from './schedules.events.ts'
import { settleOccurrences } from './schedules.outcome.actions.ts'
import {
  deleteSchedulesOf,
  detachFrom,
  exportSchedulesOf,
  filesInSchedules,
  moveSchedulesToContact,
  moveToUser,
  returnToContact,
  scheduleFiles,
  schedulesOwnedBy,
} from './schedules.owners.queries.ts'

export const reacts = [
  scheduleFiles,

  within(messagesSettled, (tx, { messages }) => settleOccurrences(tx, messages)),
  within(contactDeleting, (tx, { contactId }) => removeSchedulesOf(tx, contactId)),
  within(contactExported, async (tx, { contactId, data, files }) => {
    const planned = await exportSchedulesOf(tx, contactId)
    for (const { mediaUrl } of planned) if (mediaUrl) files.add(mediaUrl)
    data.schedules = planned
  }),
  within(contactsMerging, async (tx, { from, into, mergeId }) =>
    publishChanged(tx, await moveSchedulesToContact(tx, from, into, mergeId), into),
  ),
  within(contactsParting, async (tx, { from, mergeId }) =>
    publishChanged(tx, await returnToContact(tx, from, mergeId), from),
  ),
  within(queueLeaving, async (tx, { queueId }) =>
    publishChanged(tx, await detachFrom(tx, 'queueId', queueId)),
  ),
  within(userDeleting, async (tx, { userId, heirId }) =>
    publishChanged(tx, await moveToUser(tx, userId, heirId)),
  ),
  within(belongingsAsked, async (tx, { userId, found }) => {
    found.push({ kind: 'schedules', ...(await schedulesOwnedBy(tx, userId)) })
  }),
  // an occurrence without a connection fails: customers do not expect another number
  within(connectionLeaving, async (tx, { whatsappId }) =>
    publishChanged(tx, await detachFrom(tx, 'whatsappId', whatsappId)),
  ),
  within(filesAsked, async (tx, { addresses, named }) => {
    for (const address of await filesInSchedules(tx, addresses)) named.add(address)
  }),
]

function publishChanged(tx: Tx, changed: { id: number }[], contactId: number | null = null) {
  const scheduleIds = changed.map(({ id }) => id)
  if (scheduleIds.length > 0) tx.emit(schedulesChanged, { action: 'update', scheduleIds, contactId })
}

async function removeSchedulesOf(tx: Tx, contactId: number): Promise<void> {
  const deleted = await deleteSchedulesOf(tx, contactId)
  if (deleted.length === 0) return
  await removeFiles(
    tx,
    deleted.flatMap(({ mediaUrl }) => mediaUrl ?? []),
  )
  const scheduleIds = deleted.map(({ id }) => id)
  tx.emit(schedulesChanged, { action: 'delete', scheduleIds, contactId })
}
