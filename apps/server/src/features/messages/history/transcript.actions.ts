import type { ExportLanguage, Ticket } from '@balcao/contract/tickets.ts'
import { refuse } from '../../../platform/errors.ts'
import type { Files } from '../../../platform/files/files.ts'
import { keepForDay } from '../../../platform/files/served.ts'
import { Download } from '../../../platform/http/routes.ts'
import type { Letter } from '../../../platform/outbound/letter.ts'
import type { Scope } from '../../../platform/scope.ts'
import { writeMail } from '../../mails/mails.actions.ts'
import { findReadable } from '../../tickets/tickets.queries.ts'
import { EXPORT_PAGE, type ExportedRow, exportedMessages } from './history.queries.ts'
import { type Transcript, transcriptPdf } from './transcript.export.ts'
import { lastLeftOut, transcriptHead } from './transcript.queries.ts'
import { transcriptTexts } from './transcript.text.ts'

/** The conversation of a ticket as a PDF. Refuses as reading the ticket does. */
export async function transcribe(
  scope: Scope,
  ticketId: number,
  language: ExportLanguage = 'ptBR',
): Promise<Download> {
  const transcript = await transcriptOf(scope, ticketId, language)
  return new Download(nameOf(transcript.ticket, language), transcriptPdf(transcript))
}

/** A letter waits longer than a day for its server; its file lies as long. */
const LETTER_DAYS = 3

/**
 * Mails the PDF of a ticket to its contact; answers the address. Refuses as reading the ticket does, with ERR_NO_MAIL, and with
 * ERR_NO_CONTACT_EMAIL.
 */
export async function mailTranscript(
  scope: Scope,
  ticketId: number,
  {
    language = 'ptBR',
    files,
    isSetUp,
  }: { language?: ExportLanguage | undefined; files: Files; isSetUp: boolean },
): Promise<string> {
  const transcript = await transcriptOf(scope, ticketId, language)
  const { ticket, company } = transcript
  if (!isSetUp) return refuse('ERR_NO_MAIL')
  const to = ticket.contact.email || refuse('ERR_NO_CONTACT_EMAIL')
  const name = nameOf(ticket, language)
  const file = { name, content: transcriptPdf(transcript), days: LETTER_DAYS }
  await keepForDay(scope, files, file, (tx, key) =>
    writeMail(tx, { cause: `transcript:${key}`, to, letter: letterOf(transcript, company, { name, key }) }),
  )
  return to
}

async function transcriptOf(scope: Scope, ticketId: number, language: ExportLanguage): Promise<Transcript> {
  const { ticket, head, from } = await scope.list(async tx => ({
    ticket: await findReadable(tx, ticketId),
    head: await transcriptHead(tx, ticketId),
    from: await lastLeftOut(tx, ticketId),
  }))
  return { ticket, ...head, isCut: from !== undefined, rows: rowsAfter(scope, ticketId, from), language }
}

/** Each page is a transaction of its own, so that others get their turn. */
async function* rowsAfter(
  scope: Scope,
  ticketId: number,
  from: Awaited<ReturnType<typeof lastLeftOut>>,
): AsyncGenerator<ExportedRow, void> {
  let last: typeof from = from
  do {
    const rows: ExportedRow[] = await scope.list(tx => exportedMessages(tx, [ticketId], {}, last))
    yield* rows
    last = rows.length === EXPORT_PAGE ? rows.at(-1) : undefined
  } while (last)
}

const nameOf = ({ protocol }: Ticket, language: ExportLanguage) =>
  `${transcriptTexts(language).say('title', { protocol })}.pdf`

function letterOf(
  { ticket: { protocol }, language }: Transcript,
  company: string,
  file: { name: string; key: string },
): Letter {
  const { say } = transcriptTexts(language)
  return {
    language,
    subject: say('subject', { company }),
    before: [say('attached', { protocol })],
    button: null,
    after: [],
    file: { type: 'application/pdf', ...file },
  }
}
