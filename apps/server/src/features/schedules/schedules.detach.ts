import { removeFiles } from '../../platform/files.served.ts'
import type { Tx } from '../../platform/scope.ts'
import { and, eq } from '../../platform/sql.ts'
import { schedulesChanged } from './schedules.events.ts'
import { schedules } from './schedules.table.ts'

type Named = 'queueId' | 'userId' | 'whatsappId'

/**
 * What is about to go is named by no schedule any more. Without a connection what falls due fails and says so: over
 * another number nobody would expect it.
 */
export async function letGo(tx: Tx, going: Partial<Record<Named, number>>): Promise<void> {
  for (const [name, id] of Object.entries(going) as [Named, number][]) {
    const freed = await tx.sql
      .update(schedules)
      .set({ [name]: null })
      .where(and(eq(schedules.companyId, tx.companyId), eq(schedules[name], id)))
      .returning({ id: schedules.id })
    const scheduleIds = freed.map(one => one.id)
    if (scheduleIds.length > 0) tx.emit(schedulesChanged, { action: 'update', scheduleIds, contactId: null })
  }
}

/** Two contacts are one: what was planned for the first is planned for the second. */
export async function moveSchedules(tx: Tx, from: number, into: number): Promise<void> {
  const moved = await tx.sql
    .update(schedules)
    .set({ contactId: into })
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.contactId, from)))
    .returning({ id: schedules.id })
  const scheduleIds = moved.map(one => one.id)
  if (scheduleIds.length > 0) tx.emit(schedulesChanged, { action: 'update', scheduleIds, contactId: into })
}

/** They go with their contact, and their files with them. */
export async function removeSchedulesOf(tx: Tx, contactId: number): Promise<void> {
  const gone = await tx.sql
    .delete(schedules)
    .where(and(eq(schedules.companyId, tx.companyId), eq(schedules.contactId, contactId)))
    .returning({ id: schedules.id, mediaUrl: schedules.mediaUrl })
  if (gone.length === 0) return
  await removeFiles(
    tx,
    gone.flatMap(({ mediaUrl }) => mediaUrl ?? []),
  )
  const scheduleIds = gone.map(({ id }) => id)
  tx.emit(schedulesChanged, { action: 'delete', scheduleIds, contactId })
}
