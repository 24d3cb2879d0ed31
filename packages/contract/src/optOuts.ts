import { z } from 'zod'
import { channel, flag, id, idOrNone, instant, page, pageQuery, route } from './kit.ts'
import { USUAL_STOP_WORD } from './optOuts.rules.ts'

/** What a company begins with. */
export const usualStopWords = [USUAL_STOP_WORD]

/** A contact who opted out of campaigns. */
export const OptOut = z.object({
  id: z.int(),
  number: z.string(),
  contact: z.object({ id: z.int(), name: z.string() }).nullable(),
  /** A stop word was written, a user noted it, or marketing was stopped in WhatsApp itself (official API). */
  source: z.enum(['word', 'person', 'whatsapp']),
  /** What he wrote. */
  word: z.string(),
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  createdAt: instant,
})
export type OptOut = z.infer<typeof OptOut>

export const OptOutSettings = z.object({
  isOn: flag,
  /** Compared without case and accents; the whole message has to match. SAIR stands for all ways of asking for it. */
  words: z.array(z.string().trim().min(2, 'Too Short!').max(30, 'Too Long!')).min(1, 'Required').max(20),
  /** What is answered; empty for nothing. */
  reply: z.string().max(1_000, 'Too Long!'),
})
export type OptOutSettings = z.output<typeof OptOutSettings>

const optOutId = z.object({ optOutId: id })

export const optOuts = {
  list: route('GET', '/optOuts', {
    needs: 'session',
    summary: 'Who wants no campaigns, the newest first, a page at a time.',
    query: pageQuery,
    reply: page('optOuts', OptOut),
  }),
  add: route('POST', '/optOuts', {
    needs: 'session',
    summary: 'Notes that a contact, or a number, wants no campaigns.',
    body: z.object({ contactId: idOrNone.optional(), number: z.string().max(30).optional() }),
    reply: OptOut,
  }),
  remove: route('DELETE', '/optOuts/:optOutId', {
    needs: 'optOuts:delete',
    summary: 'Forgets it: campaigns may write again.',
    params: optOutId,
  }),
  ofContact: route('GET', '/contacts/:contactId/optOut', {
    needs: 'session',
    summary: 'Whether a contact wants no campaigns; null when it has not opted out or in.',
    params: z.object({ contactId: id }),
    reply: z.object({ optOut: OptOut.nullable() }),
  }),
  showSettings: route('GET', '/optOutSettings', {
    needs: 'session',
    summary: 'The stop words of the company.',
    reply: OptOutSettings,
  }),
  changeSettings: route('PUT', '/optOutSettings', {
    edits: '/optOutSettings',
    needs: 'administration',
    summary: 'Changes the stop words of the company, or switches them off.',
    body: OptOutSettings,
    reply: OptOutSettings,
  }),
}

/** A contact opted out of campaigns, or in again. */
export const optOutChannel = channel(
  'optOut-{companyId}',
  z.object({ action: z.enum(['create', 'delete']), contactId: z.int().nullable() }),
)
