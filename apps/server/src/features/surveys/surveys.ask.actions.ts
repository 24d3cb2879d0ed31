import { filled } from '@balcao/contract/placeholders.rules.ts'
import { tapIdOf } from '@balcao/contract/surveys.rules.ts'
import type { SurveySettings } from '@balcao/contract/surveys.ts'
import { repliesAreOver } from '@balcao/contract/tickets.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { databaseNow } from '../../platform/clock.ts'
import { idFrom } from '../../platform/ids.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type RowTools, workOff } from '../../platform/work/due-rows.ts'
import { leavesNow, libOf } from '../connections/connections.queries.ts'
import { post } from '../messages/messages.actions.ts'
import { choicesPart, type Part } from '../messages/outbox/content.rules.ts'
import { placeholders } from '../messages/outbox/greetings.actions.ts'
import { UNDO_MS } from '../tickets/moves/closing.actions.ts'
import type { TicketState } from '../tickets/tickets.events.ts'
import { loadTicket } from '../tickets/tickets.queries.ts'
import {
  claimSurvey,
  dropSurvey,
  dueSurveys,
  keepAsked,
  planSurvey,
  type SurveyRow,
  surveySettingsOf,
  whyNotAsked,
} from './surveys.queries.ts'

/** No closing can be taken back any more. */
const AFTER_SECONDS = UNDO_MS / 1_000 + 1

/**
 * A ticket that an attendant had was closed: its survey is planned. What closed without a user, such as after hours without a
 * word, is asked about only where an attendant wrote; what a bot had alone is never open.
 */
export async function planAfterClosing(tx: Tx, ticket: Ticket, before: TicketState | null): Promise<void> {
  if (ticket.status !== 'closed' || before?.status !== 'open' || ticket.isGroup) return
  if (ticket.whatsappId === null || ticket.userId === null) return
  await planSurvey(tx, ticket.id, { afterSeconds: AFTER_SECONDS, servedOnly: !tx.viewer })
}

const AT_ONCE = 50

/** Asks what is due, one commit each. True when more may be due. */
export const askDueSurveys = (tools: RowTools): Promise<boolean> =>
  workOff(tools, {
    name: 'surveys',
    atOnce: AT_ONCE,
    find: dueSurveys,
    run: (scope, { id }) => askSurvey(scope, id),
  })

/**
 * One commit: the message in the outbox under an id of the survey, and its row; or it is dropped. False where another worker has
 * it, or its connection is away: it waits.
 */
export const askSurvey = (scope: Scope, surveyId: number): Promise<boolean> =>
  scope.transaction(async tx => {
    const survey = await claimSurvey(tx, surveyId)
    if (!survey) return false
    const settings = await surveySettingsOf(tx)
    const ticket = await askable(tx, survey, settings)
    if (!ticket) {
      await dropSurvey(tx, surveyId)
      return true
    }
    if (!(await leavesNow(tx, survey.whatsappId))) return false
    const messageId = idFrom(`survey ${tx.companyId} ${surveyId}`)
    const draft = {
      ...(await questionOf(tx, survey, ticket, settings)),
      id: messageId,
      ticketId: ticket.id,
      contactId: survey.contactId,
      whatsappId: survey.whatsappId,
      source: 'greeting' as const,
      userId: null,
      createdAt: new Date(databaseNow() + 1).toISOString(),
    }
    await post(tx, [draft], 'aside')
    const { words, answerWithinHours: withinHours } = settings
    await keepAsked(tx, survey, { messageId, words, withinHours })
    return true
  })

/** The ticket of a survey; null where it is not asked. */
async function askable(tx: Tx, survey: SurveyRow, settings: SurveySettings): Promise<Ticket | null> {
  if (!settings.enabled || (await whyNotAsked(tx, survey, settings.everyHours))) return null
  const ticket = await loadTicket(tx, survey.ticketId)
  if (!ticket || repliesAreOver(ticket.repliesUntil, databaseNow())) return null
  return (await libOf(tx, survey.whatsappId)) === null ? null : ticket
}

/** What opens the list on the customer's phone. */
const OPENS = 'Avaliar'

/** As a list where the connection has lists, else as numbers. */
async function questionOf(
  tx: Tx,
  { id, whatsappId }: SurveyRow,
  ticket: Ticket,
  { question, words }: SurveySettings,
): Promise<Part> {
  const text = filled(question, await placeholders(tx, ticket, ticket.user))
  // the best first, as it is read
  const scores = words.map((word, at) => ({ score: at + 1, word })).reverse()
  if ((await libOf(tx, whatsappId)) !== 'cloud')
    return { body: [text, scores.map(({ score, word }) => `*${score}* - ${word}`).join('\n')].join('\n\n') }
  const rows = scores.map(({ score, word }) => ({ title: `${score} - ${word}` }))
  return choicesPart(
    text,
    { kind: 'list', button: OPENS, sections: [{ title: '', rows }] },
    scores.map(({ score }) => tapIdOf(id, score)),
  )
}
