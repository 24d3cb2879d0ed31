import type { SurveySettings } from '@balcao/contract/surveys.ts'
import { USUAL_WORDS } from '@balcao/contract/surveys.ts'
import { alias } from 'drizzle-orm/pg-core'
import type { Sql } from '../../platform/postgres/db.ts'
import { and, asc, eq, getTableColumns, isNull, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { outside } from '../../platform/work/due-rows.ts'
import { dueAtWork } from '../companies/companies.status.queries.ts'
import { companies } from '../companies/companies.table.ts'
import { isConnected } from '../connections/connections.queries.ts'
import { whatsapps } from '../connections/connections.table.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { lockTicket } from '../tickets/tickets.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { surveySettings, surveys } from './surveys.table.ts'

export type SurveyRow = typeof surveys.$inferSelect

/** Until a company changes it. */
export const usualSurvey: SurveySettings = {
  enabled: false,
  question: 'Como você avalia o nosso atendimento?',
  words: USUAL_WORDS,
  thanks: 'Obrigado pela sua avaliação! Se quiser, escreva um comentário.',
  ...{ everyHours: 24, answerWithinHours: 24, commentMinutes: 10, queueIds: [] },
}

const { companyId: _company, ...shown } = getTableColumns(surveySettings)

export async function surveySettingsOf(tx: Tx): Promise<SurveySettings> {
  const [row] = await tx.sql
    .select(shown)
    .from(surveySettings)
    .where(eq(surveySettings.companyId, tx.companyId))
  return row ?? usualSurvey
}

/** The settings, locked: of two changes at once each keeps what the other changed. */
export async function lockSettings(tx: Tx): Promise<SurveySettings> {
  await tx.sql
    .insert(surveySettings)
    .values({ ...usualSurvey, companyId: tx.companyId })
    .onConflictDoNothing()
  const [row] = await tx.sql
    .select(shown)
    .from(surveySettings)
    .where(eq(surveySettings.companyId, tx.companyId))
    .for('update')
  return row!
}

export const saveSettings = (tx: Tx, settings: SurveySettings) =>
  tx.sql.update(surveySettings).set(settings).where(eq(surveySettings.companyId, tx.companyId))

/** A queue is deleted: where it was the only one that was asked about, no ticket is any more. */
export const takeQueueFromSettings = (tx: Tx, queueId: number) =>
  tx.sql
    .update(surveySettings)
    .set({
      queueIds: tag`array_remove(${surveySettings.queueIds}, ${queueId}::int)`,
      enabled: tag`${surveySettings.enabled} and cardinality(${surveySettings.queueIds}) > 1`,
    })
    .where(
      and(eq(surveySettings.companyId, tx.companyId), tag`${queueId}::int = any(${surveySettings.queueIds})`),
    )

/**
 * Plans the survey of a ticket that was just closed, where its company asks about its queue and did not ask about the
 * ticket before. `servedOnly`: only where an attendant wrote in it to the customer.
 */
export async function planSurvey(
  tx: Tx,
  ticketId: number,
  { afterSeconds, servedOnly }: { afterSeconds: number; servedOnly: boolean },
): Promise<void> {
  const served = servedOnly
    ? tag`exists (select from messages m where m.company_id = t.company_id and m.ticket_id = t.id
        and m.source in ('person', 'phone') and not m.is_private)`
    : tag`true`
  await tx.sql.execute(tag`
    insert into ${surveys} (company_id, ticket_id, contact_id, whatsapp_id, user_id, queue_id, closed_at, due_at)
    select t.company_id, t.id, t.contact_id, t.whatsapp_id, t.user_id, t.queue_id, t.closed_at,
      now() + make_interval(secs => ${afterSeconds}::int)
    from survey_settings s join tickets t on t.company_id = s.company_id
    where s.company_id = ${tx.companyId} and s.enabled and t.id = ${ticketId} and t.status = 'closed'
      and t.whatsapp_id is not null and not t.is_group
      and (cardinality(s.queue_ids) = 0 or t.queue_id = any(s.queue_ids)) and ${served}
    on conflict (company_id, ticket_id) do update set closed_at = excluded.closed_at, due_at = excluded.due_at,
      user_id = excluded.user_id, queue_id = excluded.queue_id, contact_id = excluded.contact_id,
      whatsapp_id = excluded.whatsapp_id
    where surveys.asked_at is null`)
}

/**
 * What is due, of companies at work, the earliest first. One waits for its connection until it is too late, but not for a
 * deleted one.
 */
export function dueSurveys(sql: Sql, most: number, passed: number[] = []) {
  const { companyId, id, dueAt } = surveys
  const over = (which: SQL | undefined, limit: number) =>
    sql
      .select({ companyId, id, dueAt })
      .from(surveys)
      .leftJoin(whatsapps, and(eq(whatsapps.companyId, companyId), eq(whatsapps.id, surveys.whatsappId)))
      .where(and(which, isDue, tag`(${mayLeave} or ${isTooLate})`, outside(companyId, passed)))
      .orderBy(asc(dueAt))
      .limit(limit)
  return sql
    .select({ companyId: tag<number>`found.company_id`, id: tag<number>`found.id` })
    .from(
      dueAtWork({
        early: limit => over(undefined, limit),
        ofEach: over(eq(companyId, companies.id), most),
      }),
    )
    .orderBy(tag`found.due_at`)
    .limit(most)
}

const isDue = tag`${surveys.dueAt} <= now()`

const isTooLate = tag<boolean>`${surveys.dueAt} < now() - interval '24 hours'`

const mayLeave = tag`(${whatsapps.id} is null or ${isConnected})`

/**
 * A due survey, locked; null when another worker has or had it. Its ticket is locked first, as where it is closed or opened:
 * whoever reopens it at this moment is seen, or waits.
 */
export async function claimSurvey(tx: Tx, surveyId: number): Promise<SurveyRow | null> {
  const which = and(surveyById(tx, surveyId), isDue)
  const [due] = await tx.sql.select({ ticketId: surveys.ticketId }).from(surveys).where(which)
  if (!due) return null
  await lockTicket(tx, due.ticketId)
  const [row] = await tx.sql.select().from(surveys).where(which).for('update', { skipLocked: true })
  return row ?? null
}

const other = alias(surveys, 'other')
const living = alias(tickets, 'living')

/**
 * Why a survey is not asked: its ticket is open or was closed again, its customer wrote since, or was asked within the hours.
 * Null where it is. The contact is locked: of two surveys at once one is asked.
 */
export async function whyNotAsked(tx: Tx, survey: SurveyRow, everyHours: number) {
  const { contactId, ticketId, whatsappId } = survey
  await tx.sql
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
    .for('no key update')
  const anotherLives = tx.sql
    .select({ one: tag`1` })
    .from(living)
    .where(
      and(
        eq(living.companyId, tx.companyId),
        eq(living.contactId, contactId),
        eq(living.whatsappId, whatsappId),
        tag`${living.status} <> 'closed'`,
      ),
    )
  const askedLately = tx.sql
    .select({ one: tag`1` })
    .from(other)
    .where(
      and(
        eq(other.companyId, tx.companyId),
        eq(other.contactId, contactId),
        tag`${other.askedAt} > now() - make_interval(hours => ${everyHours}::int)`,
      ),
    )
  const [row] = await tx.sql
    .select({
      why: tag<string | null>`case
        when ${tickets.status} <> 'closed' or ${tickets.closedAt} <> ${survey.closedAt}::timestamptz then 'open'
        when exists (${anotherLives}) then 'wrote'
        when exists (${askedLately}) then 'lately'
        when ${isTooLate} then 'late' end`,
    })
    .from(surveys)
    .innerJoin(tickets, and(eq(tickets.companyId, surveys.companyId), eq(tickets.id, ticketId)))
    .where(surveyById(tx, survey.id))
  return row ? row.why : 'gone'
}

/** The survey was asked: a score is expected for so many hours, and messages of the contact are looked at until then. */
export async function keepAsked(
  tx: Tx,
  { id, contactId }: SurveyRow,
  asked: { messageId: string; words: string[]; withinHours: number },
) {
  const until = tag`now() + make_interval(hours => ${asked.withinHours}::int)`
  await tx.sql
    .update(surveys)
    .set({
      dueAt: null,
      askedAt: tag`now()`,
      answerUntil: until,
      messageId: asked.messageId,
      words: asked.words,
    })
    .where(surveyById(tx, id))
  await tx.sql
    .update(contacts)
    .set({ answerUntil: tag`greatest(${contacts.answerUntil}, ${until})` })
    .where(and(eq(contacts.companyId, tx.companyId), eq(contacts.id, contactId)))
}

/** It is not asked; another closing of the ticket may plan it again. */
export const dropSurvey = (tx: Tx, surveyId: number) =>
  tx.sql.delete(surveys).where(and(surveyById(tx, surveyId), isNull(surveys.askedAt)))

export const surveyById = (tx: Tx, surveyId: number) =>
  and(eq(surveys.companyId, tx.companyId), eq(surveys.id, surveyId))
