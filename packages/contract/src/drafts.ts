import { z } from 'zod'
import { channel, id, route } from './kit.ts'
import { DraftAt, MAX_BODY } from './messages.input.ts'

/** Maximum of drafts of one user; the oldest are deleted. */
export const MAX_DRAFTS = 200

/** A user's unsent text in a ticket; empty where it was sent or cleared. */
export const KeptDraft = z.object({
  ticketId: z.int(),
  body: z.string(),
  /** The message answered to. */
  quotedId: z.uuid().nullable(),
  /** Version of a draft: the device's time in milliseconds since 1970. The highest one wins. */
  at: z.int(),
})
export type KeptDraft = z.infer<typeof KeptDraft>

export const drafts = {
  list: route('GET', '/drafts', {
    needs: 'session',
    summary: 'The caller’s own drafts, newest first, and those emptied within a month.',
    reply: z.object({ drafts: z.array(KeptDraft) }),
  }),
  save: route('PUT', '/drafts/:ticketId', {
    needs: 'session',
    summary: 'Saves the caller’s draft in a ticket unless a newer version is stored; answers the stored one.',
    params: z.object({ ticketId: id }),
    body: KeptDraft.pick({ quotedId: true }).extend({
      body: z.string().max(MAX_BODY, 'Too Long!'),
      at: DraftAt,
    }),
    reply: KeptDraft,
  }),
}

/** Only to the user's own screens. */
export const draftChannel = channel('draft-{companyId}', KeptDraft)
