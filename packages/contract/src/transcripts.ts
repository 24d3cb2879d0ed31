import { z } from 'zod'
import { id, route } from './kit.ts'
import { ExportLanguage } from './tickets.ts'

/** So many messages of a conversation stand in its PDF, the newest. */
export const MOST_TRANSCRIBED = 5_000

const ticketId = z.object({ ticketId: id })

/** A conversation as a document for people. */
export const transcripts = {
  pdf: route('GET', '/tickets/:ticketId/pdf', {
    needs: 'session',
    summary: `The conversation of one ticket as a PDF: brand, participants, the newest ${MOST_TRANSCRIBED} messages, the names of the files.`,
    limit: { counts: 'calls', caller: 20 },
    params: ticketId,
    query: z.object({ language: ExportLanguage.optional() }),
    answers: 'application/pdf',
  }),
  mail: route('POST', '/tickets/:ticketId/pdf/mail', {
    needs: 'session',
    summary:
      'Mails the same PDF to the e-mail address of the ticket’s contact. ERR_NO_CONTACT_EMAIL where there is none, ERR_NO_MAIL on an installation without a mail server.',
    limit: { counts: 'calls', caller: 5 },
    params: ticketId,
    body: z.object({ language: ExportLanguage.optional() }),
    reply: z.object({ to: z.string() }),
  }),
}
