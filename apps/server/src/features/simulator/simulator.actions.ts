import { randomBytes } from 'node:crypto'
import { PollData } from '@balcao/contract/kinds.ts'
import type { Typing } from '@balcao/contract/messages.ts'
import { databaseTime } from '../../platform/clock.ts'
import { refuse } from '../../platform/errors.ts'
import type { StoredFile } from '../../platform/files/files.ts'
import { together } from '../../platform/postgres/db.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { lockChats } from '../messages/messages.queries.ts'
import { phoneTypes, simulatorMoved } from './simulator.events.ts'
import {
  findPhone,
  insertOrCount,
  insertRow,
  raiseAcks,
  setFault,
  setTyping,
  shownMessage,
  updateShown,
} from './simulator.queries.ts'
import { type PhoneContent, type PhoneInput, sentPartsOf } from './simulator.rules.ts'

/**
 * A customer writes; each file is a message of its own. Committed once this resolves: the driver reads it from its
 * rows. Refuses with ERR_BAD_REQUEST when nothing was written.
 */
export const simulateWriting = (scope: Scope, whatsappId: number, written: PhoneInput, files: StoredFile[]) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    const { number, name = '' } = written
    const rows = sentPartsOf(written, files).map(part => ({ ...part, name, externalId: newId() }))
    await insert(tx, whatsappId, number, rows)
    return { id: rows[0]!.externalId }
  })

export interface PhoneOperation {
  kind: 'reaction' | 'edit' | 'delete'
  body: string
}

/** By the company; pins are without a body where they are taken off. */
export type CompanyOperation = PhoneOperation | { kind: 'pin'; body: string }

/** The customer edits, deletes or reacts to a message on their phone. Refuses with ERR_FETCH_WAPP_MSG. */
export const doTo = (
  scope: Scope,
  whatsappId: number,
  { number, messageId }: { number: string; messageId: string },
  operation: PhoneOperation,
) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    const target = (await shownMessage(tx, whatsappId, messageId)) ?? refuse('ERR_FETCH_WAPP_MSG')
    const own = !target.fromMe
    if (target.number !== number || (operation.kind !== 'reaction' && !own))
      return refuse('ERR_FETCH_WAPP_MSG')
    const content: PhoneContent = {
      kind: operation.kind,
      targetId: messageId,
      targetFromMe: target.fromMe,
    }
    await insert(tx, whatsappId, number, [{ name: '', externalId: newId(), body: operation.body, content }])
    await applyTo(tx, target, operation, { byCompany: false })
    return {}
  })

/** The customer votes in a poll of the company; no choices withdraw the vote. Refuses with ERR_FETCH_WAPP_MSG. */
export const simulateVote = (
  scope: Scope,
  whatsappId: number,
  { number, messageId, choices }: { number: string; messageId: string; choices: number[] },
) =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    const target = await shownMessage(tx, whatsappId, messageId)
    const poll =
      target?.content.mediaType === 'poll' ? PollData.safeParse(target.content.data).data : undefined
    if (!target || target.number !== number || !poll) return refuse('ERR_FETCH_WAPP_MSG')
    const content = { kind: 'vote' as const, targetId: messageId, targetFromMe: target.fromMe, choices }
    await insert(tx, whatsappId, number, [{ name: '', externalId: newId(), body: '', content }])
    const votes = [{ by: 'contact', name: '', at: databaseTime(), choices }]
    await updateShown(tx, target.id, { content: { ...target.content, data: { ...poll, votes } } })
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
      () => raiseAcks(tx, whatsappId, number, ack),
    )
    tx.emit(simulatorMoved, { whatsappId })
  })

export const misbehave = (scope: Scope, whatsappId: number, kind: 'offline' | 'slow' | 'reject' | 'none') =>
  scope.transaction(async tx => {
    await findPhone(tx, whatsappId)
    await setFault(tx, whatsappId, kind)
    tx.emit(simulatorMoved, { whatsappId })
  })

/** A message of the company reaches the phone; a second copy under the same id is counted, not shown. */
export const deliver = (
  scope: Scope,
  whatsappId: number,
  message: { number: string; externalId: string; body: string; content: PhoneContent },
) =>
  scope.transaction(tx =>
    insertOrCount(tx.sql, { ...message, companyId: tx.companyId, whatsappId, fromMe: true }),
  )

/** The company edits, deletes or reacts to a message; idempotent. False when the phone has no such message. */
export const undergo = (scope: Scope, whatsappId: number, externalId: string, operation: CompanyOperation) =>
  scope.transaction(async tx => {
    const target = await shownMessage(tx, whatsappId, externalId)
    if (target) await applyTo(tx, target, operation, { byCompany: true })
    return target !== null
  })

/** The company is typing or recording, as that phone shows it. */
export const showTyping = (scope: Scope, whatsappId: number, number: string, state: Typing) =>
  scope.transaction(tx => setTyping(tx, whatsappId, number, state))

type Row = { externalId: string; name: string; body: string; content: PhoneContent }

async function insert(tx: Tx, whatsappId: number, number: string, rows: Row[]) {
  const from = { companyId: tx.companyId, whatsappId, number, fromMe: false, reportedAck: 0 }
  await together(
    tx.sql,
    // Ids are generated in the order of commits: the driver reports in the order that the phone shows.
    () => lockChats(tx, `phone ${whatsappId}`, [number]),
    ...rows.map(row => () => insertRow(tx.sql, { ...row, ...from })),
  )
  tx.emit(simulatorMoved, { whatsappId })
}

type Shown = NonNullable<Awaited<ReturnType<typeof shownMessage>>>

async function applyTo(
  tx: Tx,
  target: Shown,
  { kind, body }: CompanyOperation,
  { byCompany }: { byCompany: boolean },
) {
  const others = (target.content.reactions ?? []).filter(one => one.fromMe !== byCompany)
  const mine = body ? [{ emoji: body, fromMe: byCompany }] : []
  const changed: Partial<Shown['content']> =
    kind === 'reaction'
      ? { reactions: [...others, ...mine] }
      : kind === 'edit'
        ? { isEdited: true }
        : kind === 'pin'
          ? { isPinned: body !== '' }
          : { isDeleted: true }
  await updateShown(tx, target.id, {
    content: { ...target.content, ...changed },
    ...(kind === 'edit' && { body }),
  })
}

const newId = () => `SIM${randomBytes(9).toString('hex').toUpperCase()}`
