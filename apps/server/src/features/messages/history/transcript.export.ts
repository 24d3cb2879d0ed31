import { cut } from '@balcao/contract/cut.rules.ts'
import type { ExportLanguage, Ticket } from '@balcao/contract/tickets.ts'
import { contentOf } from './history.export.ts'
import type { ExportedRow } from './history.queries.ts'
import { exportTexts } from './history.text.ts'
import { Paper } from './paper.export.ts'
import { transcriptTexts } from './transcript.text.ts'

export interface Transcript {
  ticket: Ticket
  company: string
  /** As `ExportedRow.at`. */
  openedAt: number
  /** Older messages are left out. */
  isCut: boolean
  rows: AsyncIterable<ExportedRow>
  language: ExportLanguage
}

/** So many characters of a message are shown: of one that is longer the rest is in the conversation. */
const MOST_SHOWN = 8_000

const DAY_MS = 86_400_000
const FROM_1900 = 25_569
const dateOf = (at: number) => new Date((at - FROM_1900) * DAY_MS)

/** The bytes of a conversation's PDF, as they are made. A failure of `rows` ends them. */
export function transcriptPdf(of: Transcript): AsyncIterable<Uint8Array> {
  const { say } = transcriptTexts(of.language)
  const title = say('title', { protocol: of.ticket.protocol })
  const foot = (page: number) => `${of.company} · ${title} · ${say('page', { page: String(page) })}`
  const paper = new Paper({ title, author: of.company, foot, language: of.language })
  write(paper, of, title).catch(error => paper.destroy(error as Error))
  return paper.bytes()
}

async function write(paper: Paper, of: Transcript, title: string) {
  const { say, day, moment } = transcriptTexts(of.language)
  const words = exportTexts(of.language)
  await writeHead(paper, of, title)
  const people = new Set<string>()
  const files: string[] = []
  let shownDay = ''
  for await (const row of of.rows) {
    if (paper.isGone) return
    const date = dateOf(row.at)
    const today = day.format(date)
    if (today !== shownDay) await writeDay(paper, today)
    shownDay = today
    const author = row.fromMe ? (row.user ?? words.bySource(row.source)) : row.author?.name || row.contact
    // greetings and bots are no participants
    if (!row.fromMe || row.user !== null) people.add(author)
    const time = date.toISOString().slice(11, 16)
    if (row.media?.name && !row.isDeleted)
      files.push(`${moment.format(date)} · ${author} · ${row.media.name}`)
    const text = row.isDeleted ? words.deleted : contentOf(row, words)
    paper.needs(32)
    await paper.text(`${author} · ${time}`, {
      size: 8.5,
      bold: true,
      color: row.fromMe ? '#0f6175' : '#51606f',
    })
    const shown = cut(text, MOST_SHOWN)
    await paper.text(shown, { size: 10, indent: 12 })
    if (shown.length < text.length) await paper.text(say('cut'), { size: 8.5, indent: 12, color: '#51606f' })
    paper.space(5)
  }
  await writeNames(paper, say('participants'), [...people])
  await writeNames(paper, say('files'), files)
  paper.end()
}

async function writeHead(
  paper: Paper,
  { ticket, company, openedAt, isCut, language }: Transcript,
  title: string,
) {
  const { say, moment } = transcriptTexts(language)
  const { contact, queue, whatsapp } = ticket
  await paper.text(company, { size: 11, bold: true, color: '#0f6175' })
  await paper.text(title, { size: 16, bold: true })
  const facts = [
    [say('contact'), [contact.name, contact.number].filter(Boolean).join(' · ')],
    [say('queue'), queue?.name],
    [say('connection'), whatsapp?.name],
    [say('opened'), moment.format(dateOf(openedAt))],
  ]
  for (const [name, value] of facts) if (value) await paper.text(`${name}: ${value}`, { size: 9.5 })
  if (isCut) await paper.text(say('leftOut'), { size: 9.5, bold: true })
  paper.space(6)
  paper.rule()
}

async function writeDay(paper: Paper, day: string) {
  paper.needs(48)
  paper.space(4)
  await paper.text(day, { size: 9, bold: true })
  paper.space(2)
}

async function writeNames(paper: Paper, title: string, names: string[]) {
  if (names.length === 0) return
  paper.needs(48)
  paper.space(8)
  paper.rule()
  await paper.text(title, { size: 10, bold: true })
  for (const name of names) await paper.text(name, { size: 9 })
}
