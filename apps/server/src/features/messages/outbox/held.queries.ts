import { given } from '../../../platform/postgres/prepared.ts'
import { and, eq, isNotNull, rowsFrom, sql as tag } from '../../../platform/postgres/sql.ts'
import type { Tx } from '../../../platform/scope.ts'
import { whatsapps } from '../../connections/connections.table.ts'
import { contacts } from '../../contacts/contacts.table.ts'
import { isInOutbox, messages } from '../messages.table.ts'

/** Why a first message waits while WhatsApp restricts the number. */
export const RESTRICTED = 'ERR_WAPP_RESTRICTED'

const customerWroteAfter = (message: string) =>
  tag.raw(`exists (select from messages i
  where i.company_id = ${message}.company_id and i.contact_id = ${message}.contact_id
    and i.whatsapp_id = ${message}.whatsapp_id and not i.from_me and i.position > ${message}.position)`)

const isHeld = (
  message: string,
) => tag`(${tag.raw(`${message}.fail_reason = '${RESTRICTED}' and coalesce(${message}.retry_at, '-infinity') > now()`)}
  and not ${customerWroteAfter(message)})`

/** A message that is held leaves at the end of the restriction, or once its customer writes. */
export const isNotHeld = tag`not ${isHeld('messages')}`

/** The restriction of the connection that messages are read of; one subquery for the statement. */
const restrictedUntil = tag`(select w.restricted_until from whatsapps w
  where w.company_id = ${given('companyId')} and w.id = ${given('whatsappId')})`

const wroteBefore = tag`exists (select from messages i where i.company_id = ${messages.companyId}
  and i.contact_id = ${messages.contactId} and i.whatsapp_id = ${messages.whatsappId} and not i.from_me)`

const followsHeld = tag`exists (select from messages h where h.company_id = ${messages.companyId}
  and h.whatsapp_id = ${messages.whatsappId} and h.contact_id = ${messages.contactId} and ${isHeld('h')})`

/** Milliseconds that a message has to wait because it begins a conversation on a restricted number; 0 for none. */
export const heldMs = tag<number>`case when ${restrictedUntil} > now() and not ${contacts.isGroup}
  and (not ${wroteBefore} or ${followsHeld})
  then ceil(extract(epoch from ${restrictedUntil} - now()) * 1000)::float8 else 0 end`

/**
 * Milliseconds until the end of a connection's restriction, 0 for none. Locked until the commit: what is held until then is
 * freed with it, also when it ends meanwhile.
 */
export async function lockRestriction(tx: Tx, whatsappId: number): Promise<number> {
  const [row] = await tx.sql
    .select({
      ms: tag<number>`extract(epoch from coalesce(${whatsapps.restrictedUntil}, now()) - now())::float8 * 1000`,
    })
    .from(whatsapps)
    .where(and(eq(whatsapps.companyId, tx.companyId), eq(whatsapps.id, whatsappId)))
    .for('share')
  return Math.max(0, Math.ceil(row?.ms ?? 0))
}

/** Holds messages that wait in the outbox. Answers those whose reason changed. */
export function holdMessages(tx: Tx, ids: string[], inMs: number) {
  return rowsFrom<{ id: string; ticketId: number }>(
    tx.sql,
    tag`update messages m set retry_at = now() + ${inMs}::float8 * interval '1 millisecond', fail_reason = ${RESTRICTED},
        version = m.version + 1
      where m.company_id = ${tx.companyId} and m.id = any(${`{${ids}}`}::uuid[])
        and m.waits
      returning m.id, m.ticket_id as "ticketId"`,
  )
}

/** The restriction ends at another time, or now (null): so do the waits for it. */
export const moveHeld = (tx: Tx, whatsappId: number, until: string | null) =>
  tx.sql
    .update(messages)
    .set({ retryAt: until })
    .where(
      and(
        eq(messages.companyId, tx.companyId),
        eq(messages.whatsappId, whatsappId),
        isNotNull(messages.retryAt),
        eq(messages.failReason, RESTRICTED),
        isInOutbox,
      ),
    )
