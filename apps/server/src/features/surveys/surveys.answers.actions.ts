import { isStopWord, USUAL_STOP_WORD } from '@balcao/contract/optOuts.rules.ts'
import { filled } from '@balcao/contract/placeholders.rules.ts'
import { scoreOf, tappedScore } from '@balcao/contract/surveys.rules.ts'
import { USUAL_WORDS } from '@balcao/contract/surveys.ts'
import { isThanks } from '@balcao/contract/thanks.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../platform/clock.ts'
import type { PayloadOf } from '../../platform/events.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Tx } from '../../platform/scope.ts'
import { connectionsUnderWay } from '../connections/connections.queries.ts'
import { lookUp } from '../messages/inbound/lookups.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { type afterwordArrived, customerWrote, messageCreated } from '../messages/messages.events.ts'
import { insertMessages } from '../messages/messages.queries.ts'
import { placeholders } from '../messages/outbox/greetings.actions.ts'
import { closeUnanswered } from '../tickets/moves/closing.actions.ts'
import { loadTicket, lockTicket } from '../tickets/tickets.queries.ts'
import { type AwaitedSurvey, keepComment, keepScore, lockAwaited } from './surveys.answers.queries.ts'
import { surveyAnswered } from './surveys.events.ts'
import { type SurveyRow, surveySettingsOf } from './surveys.queries.ts'

type Arrived = PayloadOf<typeof afterwordArrived>

/** A comment keeps so much; the message has all of it. */
const MOST_COMMENT = 2_000

/**
 * A message of a contact who was asked: a score, or the comment on one, joins the ticket that it is about in silence. Anything
 * else is left to open a ticket as usual, and so is every text while the contact has a ticket that is not closed.
 */
export async function receiveSurveyAnswer(tx: Tx, arrived: Arrived): Promise<void> {
  const { contact, row, tapId } = arrived
  if (contact.isGroup || row.isDeleted) return
  const tapped = tappedScore(tapId)
  if (!tapped && row.mediaType !== null) return
  const awaited = await lockAwaited(tx, contact.id, row.whatsappId, {
    ...(tapped && { surveyId: tapped.surveyId }),
    beside: arrived.filledIn?.ticket.id,
  })
  if (!awaited) return
  const score = tapped?.score ?? scoreOf(row.body, awaited.survey.words ?? USUAL_WORDS)
  const isTheirs = tapped || row.quotedId === awaited.survey.messageId
  if (awaited.hasLiving && !(isTheirs && score !== null)) return
  if (score !== null) await receiveScore(tx, arrived, awaited, score)
  else if (isCommented(awaited)) await receiveComment(tx, arrived, awaited.survey)
}

const isCommented = ({ survey, wantsScore }: AwaitedSurvey) => !wantsScore && survey.commentUntil !== null

/** The first score counts; another joins the ticket all the same. */
async function receiveScore(tx: Tx, arrived: Arrived, { survey, wantsScore }: AwaitedSurvey, score: number) {
  const ticket = await join(tx, arrived, survey)
  if (!wantsScore) return
  const { thanks, commentMinutes } = await surveySettingsOf(tx)
  const kept = await keepScore(tx, survey.id, score, commentMinutes)
  if (!kept) return
  publish(tx, ticket, kept)
  if (thanks) await thank(tx, ticket, survey, thanks)
}

/** A question, a stop word and everything else that is not words ends the wait, and is no comment. */
async function receiveComment(tx: Tx, arrived: Arrived, survey: SurveyRow) {
  const { body } = arrived.row
  const isOver = Date.parse(survey.commentUntil!) <= databaseNow()
  if (isOver || body.trim() === '' || /[?¿？]/u.test(body) || isStopWord(body, [USUAL_STOP_WORD])) {
    await keepComment(tx, survey.id, '')
    return
  }
  const ticket = await join(tx, arrived, survey)
  // thanks for the thanks are no comment, and the wait for one goes on
  if (isThanks(arrived.row)) return
  const [comment] = [[...body.trim()].slice(0, MOST_COMMENT).join('')]
  publish(tx, ticket, await keepComment(tx, survey.id, comment!))
}

/** The message joins the ticket that it is about: nothing greets, and no ticket opens; the one that its placeholder opened is closed. */
async function join(tx: Tx, arrived: Arrived, { ticketId }: SurveyRow): Promise<Ticket> {
  await lockTicket(tx, ticketId)
  const { row, repliesUntil, filledIn } = arrived
  arrived.joined = ticketId
  if (filledIn) {
    const [received] = await lookUp(tx, [{ ...filledIn, isNew: true }])
    await tx.involve(customerWrote, received)
    await closeUnanswered(tx, filledIn.ticket.id)
    return (await loadTicket(tx, ticketId))!
  }
  const arrival = { row: { ...row, ticketId }, effect: 'afterword', repliesUntil } as const
  const [{ message, ticket }] = await insertMessages(tx, [arrival])
  tx.emit(messageCreated, { message, ticket })
  const [received] = await lookUp(tx, [{ ticket, message, isNew: false }])
  await tx.involve(customerWrote, received)
  return ticket
}

function publish(
  tx: Tx,
  ticket: Ticket,
  { id, score, comment, userId, queueId, askedAt, answeredAt }: SurveyRow,
) {
  const survey = { id, score: score!, comment, userId, queueId, askedAt: askedAt!, answeredAt: answeredAt! }
  tx.emit(surveyAnswered, { ticket, survey })
}

async function thank(tx: Tx, ticket: Ticket, { id, contactId, whatsappId }: SurveyRow, thanks: string) {
  if (!(await connectionsUnderWay(tx)).includes(whatsappId)) return
  const draft = {
    id: idFrom(`survey thanks ${tx.companyId} ${id}`),
    ticketId: ticket.id,
    contactId,
    whatsappId,
    source: 'greeting' as const,
    userId: null,
    body: filled(thanks, await placeholders(tx, ticket, ticket.user)),
    createdAt: new Date(databaseNow() + 1).toISOString(),
  }
  await post(tx, [draft], 'aside')
}
