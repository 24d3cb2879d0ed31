import { z } from 'zod'
import { id, idOrNone, listChannel, page, pageQuery, route, text } from './kit.ts'

export const QuickAnswer = z.object({
  id: z.int(),
  shortcut: z.string(),
  message: z.string(),
  /** Whose it is: of this queue, of this user, or of the company where both are null. */
  queueId: z.int().nullable(),
  userId: z.int().nullable(),
})
export type QuickAnswer = z.infer<typeof QuickAnswer>

export const QuickAnswerInput = z.object({
  shortcut: text(2, 15).regex(/^\S*$/, 'No spaces'),
  message: text(8, 30_000),
  /** At most one of them; without both a new one is the company's, and another stays whose it is. */
  queueId: idOrNone.optional(),
  userId: idOrNone.optional(),
})
export type QuickAnswerInput = z.infer<typeof QuickAnswerInput>

const quickAnswerId = z.object({ quickAnswerId: id })

export const quickAnswers = {
  list: route('GET', '/quickAnswers', {
    needs: 'session',
    summary:
      'Quick answers of the company, of the caller’s queues and of the caller by shortcut, a page at a time.',
    query: pageQuery,
    reply: page('quickAnswers', QuickAnswer),
  }),
  show: route('GET', '/quickAnswers/:quickAnswerId', {
    needs: 'session',
    summary: 'One quick answer.',
    params: quickAnswerId,
    reply: QuickAnswer,
  }),
  create: route('POST', '/quickAnswers', {
    needs: 'session',
    summary:
      'Adds a quick answer to the company, a queue or the caller. ERR_NAME_EXISTS names the one there that has the shortcut in details.',
    body: QuickAnswerInput,
    reply: QuickAnswer,
  }),
  change: route('PUT', '/quickAnswers/:quickAnswerId', {
    needs: 'session',
    edits: '/quickAnswers/:quickAnswerId',
    summary:
      'Changes a quick answer, also whose it is. ERR_NAME_EXISTS names the one there that has the shortcut in details.',
    params: quickAnswerId,
    body: QuickAnswerInput,
    reply: QuickAnswer,
  }),
  remove: route('DELETE', '/quickAnswers/:quickAnswerId', {
    needs: 'session',
    summary: 'Deletes a quick answer; what is not the caller’s own by the right to delete what is shared.',
    params: quickAnswerId,
  }),
}

export const quickAnswerChannel = listChannel('quickAnswer', QuickAnswer)
