import { z } from 'zod'
import { id, listChannel, page, pageQuery, route, text } from './kit.ts'

export const PauseReason = z.object({
  id: z.int(),
  name: z.string(),
})
export type PauseReason = z.infer<typeof PauseReason>

export const PauseReasonInput = z.object({
  name: text(2, 50),
})
export type PauseReasonInput = z.infer<typeof PauseReasonInput>

const pauseReasonId = z.object({ pauseReasonId: id })

export const pauseReasons = {
  list: route('GET', '/pause-reasons', {
    needs: 'session',
    summary: 'Pause reasons of the company by name, a page at a time.',
    query: pageQuery,
    reply: page('pauseReasons', PauseReason),
  }),
  show: route('GET', '/pause-reasons/:pauseReasonId', {
    needs: 'session',
    summary: 'One pause reason.',
    params: pauseReasonId,
    reply: PauseReason,
  }),
  create: route('POST', '/pause-reasons', {
    needs: 'team',
    summary: 'Adds a pause reason.',
    body: PauseReasonInput,
    reply: PauseReason,
  }),
  change: route('PUT', '/pause-reasons/:pauseReasonId', {
    needs: 'team',
    edits: '/pause-reasons/:pauseReasonId',
    summary: 'Changes a pause reason.',
    params: pauseReasonId,
    body: PauseReasonInput,
    reply: PauseReason,
  }),
  remove: route('DELETE', '/pause-reasons/:pauseReasonId', {
    needs: 'team',
    summary: 'Deletes a pause reason.',
    params: pauseReasonId,
  }),
}

export const pauseReasonChannel = listChannel('pauseReason', PauseReason)
