import type { Ticket } from '@balcao/contract/tickets.ts'
import { event } from '../../platform/events.ts'

/** A customer gave a score, or commented on it. */
export const surveyAnswered = event<{
  ticket: Ticket
  survey: {
    id: number
    score: number
    comment: string
    userId: number | null
    queueId: number | null
    askedAt: string
    answeredAt: string
  }
}>('survey.answered')

export const surveySettingsChanged = event<Record<never, never>>('survey.settings')
