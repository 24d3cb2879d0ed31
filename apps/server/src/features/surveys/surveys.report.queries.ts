import type { SurveyAnswers, SurveyFilter, SurveyPart } from '@balcao/contract/surveys.ts'
import { canRead } from '@balcao/contract/tickets.rules.ts'
import { onePage } from '../../platform/lists/lists.ts'
import {
  and,
  desc,
  eq,
  gte,
  isNotNull,
  isNull,
  lte,
  type SQL,
  sql as tag,
} from '../../platform/postgres/sql.ts'
import { type Tx, viewerOf } from '../../platform/scope.ts'
import { contacts } from '../contacts/contacts.table.ts'
import { queues } from '../queues/queues.table.ts'
import type { ReportRange } from '../reports/reports.range.queries.ts'
import { tickets } from '../tickets/tickets.table.ts'
import { surveys } from './surveys.table.ts'

/** One page of the scores of a range, and the figures of all of it. */
export async function answersIn(tx: Tx, range: ReportRange, asked: SurveyFilter): Promise<SurveyAnswers> {
  const which = and(answeredIn(tx, range), narrowing(asked))
  const page = await pageOf(tx, which, asked)
  const figures = await figuresOf(tx, which)
  return {
    ...page,
    ...figures,
    asked: await askedIn(tx, range, asked),
    byUser: await partsOf(tx, which, surveys.userId, personName),
    byQueue: await partsOf(tx, which, surveys.queueId, queueName),
  }
}

async function askedIn(tx: Tx, { from, until }: ReportRange, { userId, queueId }: SurveyFilter) {
  const [row] = await tx.sql
    .select({ count: tag<number>`count(*)::int` })
    .from(surveys)
    .where(
      and(own(tx), gte(surveys.askedAt, from), lte(surveys.askedAt, until), narrowing({ userId, queueId })),
    )
  return row!.count
}

const own = (tx: Tx) => eq(surveys.companyId, tx.companyId)

const answeredIn = (tx: Tx, { from, until }: ReportRange) =>
  and(own(tx), isNotNull(surveys.score), gte(surveys.answeredAt, from), lte(surveys.answeredAt, until))

const narrowing = ({ userId, queueId, score }: SurveyFilter) =>
  and(
    userId === undefined ? undefined : userId === 0 ? isNull(surveys.userId) : eq(surveys.userId, userId),
    queueId === undefined
      ? undefined
      : queueId === 0
        ? isNull(surveys.queueId)
        : eq(surveys.queueId, queueId),
    score === undefined ? undefined : eq(surveys.score, score),
  )

/** A deleted user keeps the name. */
const personName = tag<string>`coalesce(
  (select u.name from users u where u.company_id = ${surveys.companyId} and u.id = ${surveys.userId}),
  (select f.name from former_users f where f.company_id = ${surveys.companyId} and f.id = ${surveys.userId}), '')`

const queueName = tag<string>`coalesce(
  (select q.name from queues q where q.company_id = ${surveys.companyId} and q.id = ${surveys.queueId}), '')`

async function pageOf(tx: Tx, which: SQL | undefined, asked: SurveyFilter) {
  const viewer = viewerOf(tx)
  const found = tx.sql
    .select({
      id: surveys.id,
      ticketId: surveys.ticketId,
      userId: surveys.userId,
      userName: personName,
      queueId: surveys.queueId,
      queue: { id: queues.id, name: queues.name },
      contact: { id: contacts.id, name: contacts.name },
      score: tag<number>`${surveys.score}`,
      comment: surveys.comment,
      askedAt: tag<string>`${surveys.askedAt}`.mapWith(surveys.askedAt),
      answeredAt: tag<string>`${surveys.answeredAt}`.mapWith(surveys.answeredAt),
      place: {
        status: tickets.status,
        queueId: tickets.queueId,
        userId: tickets.userId,
        ownerId: contacts.ownerId,
      },
    })
    .from(surveys)
    .innerJoin(tickets, and(eq(tickets.companyId, surveys.companyId), eq(tickets.id, surveys.ticketId)))
    .innerJoin(contacts, and(eq(contacts.companyId, surveys.companyId), eq(contacts.id, surveys.contactId)))
    .leftJoin(queues, and(eq(queues.companyId, surveys.companyId), eq(queues.id, surveys.queueId)))
    .where(which)
    .orderBy(desc(surveys.answeredAt), desc(surveys.id))
  const { rows, hasMore } = await onePage(asked, (limit, offset) => found.limit(limit).offset(offset))
  const answers = rows.map(({ place, userName, contact, comment, ...row }) => {
    const readable = canRead(viewer, place)
    return {
      ...row,
      user: row.userId === null ? null : { id: row.userId, name: userName },
      contact: readable ? contact : null,
      comment: readable ? comment : '',
      readable,
    }
  })
  return { answers, hasMore }
}

async function figuresOf(tx: Tx, which: SQL | undefined) {
  const rows = await tx.sql
    .select({ score: tag<number>`${surveys.score}`, count: tag<number>`count(*)::int` })
    .from(surveys)
    .where(which)
    .groupBy(surveys.score)
  const distribution = [1, 2, 3, 4, 5].map(score => rows.find(row => row.score === score)?.count ?? 0)
  const count = distribution.reduce((sum, many) => sum + many, 0)
  const points = distribution.reduce((sum, many, at) => sum + many * (at + 1), 0)
  return { distribution, count, average: count > 0 ? rounded(points / count) : null }
}

const rounded = (average: number) => Math.round(average * 100) / 100

/** A list of parts has no more; those with most scores stay. */
const MOST_PARTS = 200

const partsOf = async (
  tx: Tx,
  which: SQL | undefined,
  id: typeof surveys.userId | typeof surveys.queueId,
  name: SQL<string>,
): Promise<SurveyPart[]> => {
  const of = tx.sql
    .select({
      id: tag<number>`coalesce(${id}, 0)`.as('part'),
      name: tag<string>`min(${name})`.as('named'),
      count: tag<number>`count(*)::int`.as('many'),
      average: tag<number>`round(avg(${surveys.score}), 2)::float8`.as('average'),
    })
    .from(surveys)
    .where(which)
    .groupBy(id)
    .orderBy(desc(tag`count(*)`), id)
    .limit(MOST_PARTS)
  return of
}
