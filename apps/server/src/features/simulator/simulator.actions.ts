import { randomBytes } from 'node:crypto'
import { and, eq, lt, sql as tag } from 'drizzle-orm'
import type { Scope } from '../../platform/scope.ts'
import { inTurn } from '../messages/messages.queries.ts'
import { simulatorMoved } from './simulator.events.ts'
import { findPhone } from './simulator.queries.ts'
import { simulatorFaults, simulatorMessages } from './simulator.table.ts'

/** A customer writes. It is safe once this resolves: the driver reads it from its row. */
export const write = (
  scope: Scope,
  whatsappId: number,
  message: { number: string; name?: string; body: string },
) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    // Ids are given in the order of commits, so that what a phone shows is what the house hears.
    await inTurn(tx, `phone ${whatsappId} ${message.number}`)
    const externalId = `SIM${randomBytes(9).toString('hex').toUpperCase()}`
    await tx.sql
      .insert(simulatorMessages)
      .values({ ...message, companyId: tx.companyId, whatsappId, externalId, fromMe: false, toldAck: 0 })
    tx.emit(simulatorMoved, { whatsappId })
    return { id: externalId }
  })

/** The phone of a number received or read everything it was sent. */
export const confirm = (scope: Scope, whatsappId: number, { number, ack }: { number: string; ack: number }) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    await tx.sql
      .update(simulatorMessages)
      .set({ ack })
      .where(
        and(
          eq(simulatorMessages.companyId, tx.companyId),
          eq(simulatorMessages.whatsappId, whatsappId),
          eq(simulatorMessages.number, number),
          eq(simulatorMessages.fromMe, true),
          lt(simulatorMessages.ack, ack),
        ),
      )
    tx.emit(simulatorMoved, { whatsappId })
  })

export const misbehave = (scope: Scope, whatsappId: number, kind: 'offline' | 'slow' | 'reject' | 'none') =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    await tx.sql
      .insert(simulatorFaults)
      .values({ companyId: tx.companyId, whatsappId, kind })
      .onConflictDoUpdate({ target: [simulatorFaults.companyId, simulatorFaults.whatsappId], set: { kind } })
    tx.emit(simulatorMoved, { whatsappId })
  })

/** A message of the company reaches the phone; a second copy under the same id is counted, not shown. */
export const deliver = (
  scope: Scope,
  whatsappId: number,
  message: { number: string; externalId: string; body: string },
) =>
  scope.transaction(async tx => {
    await tx.sql
      .insert(simulatorMessages)
      .values({ ...message, companyId: tx.companyId, whatsappId, fromMe: true })
      .onConflictDoUpdate({
        target: [simulatorMessages.companyId, simulatorMessages.whatsappId, simulatorMessages.externalId],
        set: { copies: tag`${simulatorMessages.copies} + 1` },
      })
  })

/** The house has heard these rows as they stood. */
export const told = (scope: Scope, rows: { id: number; ack: number }[]) =>
  scope.transaction(async tx => {
    for (const { id, ack } of rows)
      await tx.sql
        .update(simulatorMessages)
        .set({ toldAck: ack })
        .where(and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.id, id)))
  })
