import { randomBytes } from 'node:crypto'
import type { Typing } from '@balcao/contract/messages.ts'
import type { simulator } from '@balcao/contract/simulator.ts'
import type { z } from 'zod'
import { given, inserting, prepared } from '../../platform/db.prepared.ts'
import { together } from '../../platform/db.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { and, eq, lt, sql as tag } from '../../platform/sql.ts'
import { lockChat } from '../messages/messages.queries.ts'
import { phoneTypes, simulatorMoved } from './simulator.events.ts'
import { findPhone, shownMessage } from './simulator.queries.ts'
import { saidPartsOf } from './simulator.said.ts'
import { type Said, simulatorFaults, simulatorMessages } from './simulator.table.ts'

type Written = z.output<typeof simulator.write.body>

/**
 * A customer writes; each file is a message of its own. It is safe once this resolves: the driver reads it from its
 * rows. Refuses with ERR_BAD_REQUEST when nothing was written.
 */
export const simulateWriting = (scope: Scope, whatsappId: number, written: Written, files: StoredFile[]) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    const { number, name = '' } = written
    const rows = saidPartsOf(written, files).map(part => ({ ...part, name, externalId: newId() }))
    await insert(tx, whatsappId, number, rows)
    return { id: rows[0]!.externalId }
  })

/** The customer does something to a message that his phone shows. Refuses with ERR_FETCH_WAPP_MSG. */
export const doTo = (
  scope: Scope,
  whatsappId: number,
  { number, messageId }: { number: string; messageId: string },
  operation: { kind: 'reaction' | 'edit' | 'delete'; body: string },
) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    const target = (await shownMessage(tx, whatsappId, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    const own = !target.fromMe
    if (target.number !== number || (operation.kind !== 'reaction' && !own))
      return refuse('ERR_FETCH_WAPP_MSG')
    const said: Said = { kind: operation.kind, targetId: messageId, targetFromMe: target.fromMe }
    await insert(tx, whatsappId, number, [{ name: '', externalId: newId(), body: operation.body, said }])
    await show(tx, target, operation, false)
    return {}
  })

export const simulateTyping = (
  scope: Scope,
  whatsappId: number,
  { number, state }: { number: string; state: Typing },
) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    tx.emit(phoneTypes, { whatsappId, number, state })
    return {}
  })

/** The phone of a number received or read everything it was sent. */
export const confirm = (scope: Scope, whatsappId: number, { number, ack }: { number: string; ack: number }) =>
  scope.transaction(async tx => {
    await together(
      tx.sql,
      () => findPhone(tx, whatsappId),
      () => raise(tx.sql, { companyId: tx.companyId, whatsappId, number, ack }),
    )
    tx.emit(simulatorMoved, { whatsappId })
  })

const raise = prepared(sql =>
  sql
    .update(simulatorMessages)
    .set({ ack: given('ack') as never })
    .where(
      and(
        eq(simulatorMessages.companyId, given('companyId')),
        eq(simulatorMessages.whatsappId, given('whatsappId')),
        eq(simulatorMessages.number, given('number')),
        eq(simulatorMessages.fromMe, true),
        lt(simulatorMessages.ack, given('ack')),
        tag`${simulatorMessages.said}->>'kind' = 'message'`,
      ),
    ),
)

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
  message: { number: string; externalId: string; body: string; said: Said },
) =>
  scope.transaction(tx =>
    insertOrCount(tx.sql, { ...message, companyId: tx.companyId, whatsappId, fromMe: true }),
  )

const insertOrCount = inserting(simulatorMessages, query =>
  query.onConflictDoUpdate({
    target: [simulatorMessages.companyId, simulatorMessages.whatsappId, simulatorMessages.externalId],
    set: { copies: tag`${simulatorMessages.copies} + 1` },
  }),
)

/** The company did something to a message; done twice it is done once. False when the phone knows no such message. */
export const undergo = (
  scope: Scope,
  whatsappId: number,
  externalId: string,
  operation: { kind: 'reaction' | 'edit' | 'delete'; body: string },
) =>
  scope.transaction(async tx => {
    const target = await shownMessage(tx, whatsappId, externalId)
    if (target) await show(tx, target, operation, true)
    return target !== null
  })

/** What the company does at this moment, as that phone shows it. */
export const showTyping = (scope: Scope, whatsappId: number, number: string, state: Typing) =>
  scope.transaction(async tx => {
    const said: Said = { kind: 'typing', state }
    const createdAt = new Date().toISOString()
    await tx.sql
      .insert(simulatorMessages)
      .values({
        companyId: tx.companyId,
        whatsappId,
        number,
        externalId: `typing ${number}`,
        fromMe: true,
        body: '',
        said,
        createdAt,
      })
      .onConflictDoUpdate({
        target: [simulatorMessages.companyId, simulatorMessages.whatsappId, simulatorMessages.externalId],
        set: { said, createdAt },
      })
  })

/** The house has heard these rows as they stood. */
export const told = (tx: Tx, rows: { id: number; ack: number }[]) =>
  together(
    tx.sql,
    ...rows.map(
      ({ id, ack }) =>
        () =>
          tell(tx.sql, { companyId: tx.companyId, id, ack }),
    ),
  )

const tell = prepared(sql =>
  sql
    .update(simulatorMessages)
    .set({ toldAck: given('ack') as never })
    .where(and(eq(simulatorMessages.companyId, given('companyId')), eq(simulatorMessages.id, given('id')))),
)

const insertRow = inserting(simulatorMessages)

type Row = { externalId: string; name: string; body: string; said: Said }

async function insert(tx: Tx, whatsappId: number, number: string, rows: Row[]) {
  const from = { companyId: tx.companyId, whatsappId, number, fromMe: false, toldAck: 0 }
  await together(
    tx.sql,
    // Ids are given in the order of commits, so that what a phone shows is what the house hears.
    () => lockChat(tx, `phone ${whatsappId} ${number}`),
    ...rows.map(row => () => insertRow(tx.sql, { ...row, ...from })),
  )
  tx.emit(simulatorMoved, { whatsappId })
}

type Shown = NonNullable<Awaited<ReturnType<typeof shownMessage>>>

async function show(
  tx: Tx,
  target: Shown,
  { kind, body }: { kind: string; body: string },
  byCompany: boolean,
) {
  const others = (target.said.reactions ?? []).filter(one => one.fromMe !== byCompany)
  const mine = body ? [{ emoji: body, fromMe: byCompany }] : []
  const stands: Partial<Shown['said']> =
    kind === 'reaction'
      ? { reactions: [...others, ...mine] }
      : kind === 'edit'
        ? { isEdited: true }
        : { isDeleted: true }
  await tx.sql
    .update(simulatorMessages)
    .set({ said: { ...target.said, ...stands }, ...(kind === 'edit' && { body }) })
    .where(and(eq(simulatorMessages.companyId, tx.companyId), eq(simulatorMessages.id, target.id)))
}

const newId = () => `SIM${randomBytes(9).toString('hex').toUpperCase()}`
