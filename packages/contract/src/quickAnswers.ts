import { z } from 'zod'
import { id, listChannel, page, pageQuery, route, text } from './kit.ts'

export const QuickAnswer = z.object({
  id: z.int(),
  shortcut: z.string(),
  message: z.string(),
})
export type QuickAnswer = z.infer<typeof QuickAnswer>

export const QuickAnswerInput = z.object({
  shortcut: text(2, 15),
  message: text(8, 30_000),
})
export type QuickAnswerInput = z.infer<typeof QuickAnswerInput>

const quickAnswerId = z.object({ quickAnswerId: id })

export const quickAnswers = {
  list: route('GET', '/quickAnswers', {
    needs: 'session',
    summary: 'Quick answers of the company by shortcut, a page at a time.',
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
    summary: 'Adds a quick answer.',
    body: QuickAnswerInput,
    reply: QuickAnswer,
  }),
  change: route('PUT', '/quickAnswers/:quickAnswerId', {
    edits: '/quickAnswers/:quickAnswerId',
    needs: 'session',
    summary: 'Changes a quick answer.',
    params: quickAnswerId,
    body: QuickAnswerInput,
    reply: QuickAnswer,
  }),
  remove: route('DELETE', '/quickAnswers/:quickAnswerId', {
    needs: 'shared:delete',
    summary: 'Deletes a quick answer.',
    params: quickAnswerId,
  }),
}

export const quickAnswerChannel = listChannel('quickAnswer', QuickAnswer)
