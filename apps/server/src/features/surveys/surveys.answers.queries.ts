import { and, desc, eq, isNull, ne, type SQL, sql as tag } from '../../platform/postgres/sql.ts'
import type { Tx } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { type SurveyRow, surveyById } from './surveys.queries.ts'
import { surveys } from './surveys.table.ts'

export interface AwaitedSurvey {
  survey: SurveyRow
  /** A score may come still; else only its comment. */
  wantsScore: boolean
  /** The contact has a ticket on the connection that is not closed: a text goes there. */
  hasLiving: boolean
}

/**
 * The survey that a contact was asked last on a connection and that waits for a score or a comment, locked; the one named by
 * a tap where there is one. A ticket `beside` does not count as one that lives.
 */
export async function lockAwaited(
  tx: Tx,
  contactId: number,
  whatsappId: number,
  { surveyId, beside = 0 }: { surveyId?: number; beside?: number | undefined },
): Promise<AwaitedSurvey | null> {
  const which: SQL | undefined = surveyId === undefined ? undefined : eq(surveys.id, surveyId)
  const waits = tag`(${surveys.score} is null and ${surveys.answerUntil} > now()
    or ${surveys.score} is not null and (${surveys.commentUntil} > now() or ${surveys.answerUntil} > now()))`
  const [survey] = await tx.sql
    .select()
    .from(surveys)
    .where(
      and(
        eq(surveys.companyId, tx.companyId),
        eq(surveys.contactId, contactId),
        eq(surveys.whatsappId, whatsappId),
        waits,
        which,
      ),
    )
    .orderBy(desc(surveys.askedAt), desc(surveys.id))
    .limit(1)
    .for('update')
  if (!survey) return null
  // read behind the lock: a closing or an opening that it waited for is seen
  const [row] = await tx.sql
    .select({
      wantsScore: tag<boolean>`${surveys.score} is null`,
      hasLiving: tag<boolean>`exists (${tx.sql
        .select({ one: tag`1` })
        .from(tickets)
        .where(
          and(
            eq(tickets.companyId, tx.companyId),
            eq(tickets.contactId, contactId),
            eq(tickets.whatsappId, whatsappId),
            ne(tickets.status, 'closed'),
            ne(tickets.id, beside),
          ),
        )})`,
    })
    .from(surveys)
    .where(surveyById(tx, survey.id))
  return { survey, ...row! }
}

/** Counts a score, once. False where there was one. */
export async function keepScore(
  tx: Tx,
  surveyId: number,
  score: number,
  commentMinutes: number,
): Promise<SurveyRow | null> {
  const [row] = await tx.sql
    .update(surveys)
    .set({
      score,
      answeredAt: tag`now()`,
      ...(commentMinutes > 0 && { commentUntil: tag`now() + make_interval(mins => ${commentMinutes}::int)` }),
    })
    .where(and(surveyById(tx, surveyId), isNull(surveys.score)))
    .returning()
  return row ?? null
}

/** The comment on a score, once; an empty one ends the wait for it. */
export async function keepComment(tx: Tx, surveyId: number, comment: string): Promise<SurveyRow> {
  const [row] = await tx.sql
    .update(surveys)
    .set({ comment, commentUntil: null })
    .where(surveyById(tx, surveyId))
    .returning()
  return row!
}

/** Surveys of a contact that is merged are those of the other; its messages are looked at as long as theirs would be. */
export async function moveSurveys(tx: Tx, from: number, into: number): Promise<void> {
  await tx.sql
    .update(surveys)
    .set({ contactId: into })
    .where(and(eq(surveys.companyId, tx.companyId), eq(surveys.contactId, from)))
  await tx.sql.execute(tag`update ${contacts} c set answer_until = greatest(c.answer_until, o.answer_until) from ${contacts} o
    where c.company_id = ${tx.companyId} and c.id = ${into} and o.company_id = c.company_id and o.id = ${from}
      and o.answer_until is not null`)
}

/** After a merge was undone they follow their tickets. */
export async function partSurveys(tx: Tx, from: number, into: number): Promise<void> {
  await tx.sql.execute(tag`update ${surveys} s set contact_id = ${from} from ${tickets} t
    where s.company_id = ${tx.companyId} and s.contact_id = ${into} and t.company_id = s.company_id and t.id = s.ticket_id
      and t.contact_id = ${from}`)
  await tx.sql.execute(tag`update ${contacts} c set answer_until = w.until from (
      select max(greatest(answer_until, comment_until)) as until from ${surveys}
      where company_id = ${tx.companyId} and contact_id = ${from}) w
    where c.company_id = ${tx.companyId} and c.id = ${from} and w.until is not null`)
}

/** What a contact was asked and answered, for an export. */
export const surveysOf = (tx: Tx, contactId: number) =>
  tx.sql
    .select({
      ticketId: surveys.ticketId,
      askedAt: surveys.askedAt,
      score: surveys.score,
      comment: surveys.comment,
      answeredAt: surveys.answeredAt,
    })
    .from(surveys)
    .where(and(eq(surveys.companyId, tx.companyId), eq(surveys.contactId, contactId)))
    .orderBy(surveys.id)
