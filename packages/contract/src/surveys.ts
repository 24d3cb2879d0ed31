import { z } from 'zod'
import { channel, flag, id, instant, moment, oneOf, pageNumber, route, text } from './kit.ts'

/** What the scores 1 to 5 are called at first. */
export const USUAL_WORDS = ['Péssimo', 'Ruim', 'Regular', 'Bom', 'Ótimo']

/** How a company asks its customers after a closing. */
export const SurveySettings = z.object({
  enabled: flag,
  /** Sent before the five choices. */
  question: text(2, 900),
  /** What the scores 1 to 5 are called; the customer may answer with one of them. */
  words: z
    .array(text(2, 20))
    .length(5, 'Required')
    .refine(words => new Set(words.map(word => word.toLowerCase())).size === 5, 'Already there'),
  /** Answers a score, and may ask for a comment; empty for nothing. */
  thanks: z.string().trim().max(1_000, 'Too Long!'),
  /** A contact is asked once in so many hours. */
  everyHours: z.int().min(1).max(8_760),
  /** A score that comes so late is the survey's still. */
  answerWithinHours: z.int().min(1).max(720),
  /** The first text within so many minutes after the score is its comment; 0 for no comments. */
  commentMinutes: z.int().min(0).max(1_440),
  /** The queues whose tickets are asked about; empty for all tickets. */
  queueIds: z.array(id).max(200, 'Too Long!'),
})
export type SurveySettings = z.infer<typeof SurveySettings>

const Named = z.object({ id: z.int(), name: z.string() })

/** A score of a customer. */
export const SurveyAnswer = z.object({
  id: z.int(),
  ticketId: z.int(),
  /** Who closed the ticket, and its queue then; a deleted user keeps the name. */
  userId: z.int().nullable(),
  user: Named.nullable(),
  queueId: z.int().nullable(),
  queue: Named.nullable(),
  /** Null, and an empty comment, where the reader may not read the conversation. */
  contact: Named.nullable(),
  score: z.int().min(1).max(5),
  comment: z.string(),
  /** Whether the reader may read the conversation. */
  readable: z.boolean(),
  askedAt: instant,
  answeredAt: instant,
})
export type SurveyAnswer = z.infer<typeof SurveyAnswer>

/** Scores of one attendant or queue; id 0 for none. */
const Part = z.object({ id: z.int(), name: z.string(), count: z.int(), average: z.number() })
export type SurveyPart = z.infer<typeof Part>

const idOrZero = id.or(oneOf([0]))

export const SurveyFilter = z.object({
  initialDate: moment.or(z.literal('')).optional(),
  finalDate: moment.or(z.literal('')).optional(),
  userId: idOrZero.optional(),
  queueId: idOrZero.optional(),
  score: oneOf([1, 2, 3, 4, 5]).optional(),
  pageNumber: pageNumber.optional(),
})
export type SurveyFilter = z.infer<typeof SurveyFilter>

export const surveys = {
  show: route('GET', '/survey', {
    needs: 'reports',
    summary: 'How the company asks its customers after a closing.',
    reply: SurveySettings,
  }),
  change: route('PUT', '/survey', {
    needs: 'administration',
    edits: '/survey',
    summary:
      'Changes how the company asks its customers after a closing. What is left out stays. Asked are customers of tickets that an attendant served, half a minute after the closing.',
    body: SurveySettings.partial(),
    reply: SurveySettings,
  }),
  answers: route('GET', '/survey/answers', {
    needs: 'reports',
    summary:
      'Scores that were given in a range (default: from the start of the month to now), newest first, a page at a time, with their average by attendant and queue. Contact and comment only where the caller may read the conversation.',
    query: SurveyFilter,
    reply: z.object({
      answers: z.array(SurveyAnswer),
      hasMore: z.boolean(),
      /** Of the whole range, whatever the page; null without scores. */
      average: z.number().nullable(),
      count: z.int(),
      /** How many were asked in the range. */
      asked: z.int(),
      /** How many gave 1, 2, 3, 4 and 5. */
      distribution: z.array(z.int()).length(5),
      byUser: z.array(Part),
      byQueue: z.array(Part),
    }),
  }),
}
export type SurveyAnswers = z.infer<(typeof surveys.answers)['reply']>

/** A score or a comment came, or how the company asks changed. */
export const surveyChannel = channel(
  'survey-{companyId}',
  z.object({ action: z.enum(['update', 'settings']), surveyId: z.int().nullable() }),
)
