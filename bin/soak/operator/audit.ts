import type { CloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { messages } from '@balcao/contract/messages.ts'
import { until } from '../../../apps/server/testing/person.ts'
import { type Month, rowsOf } from './month.ts'
import { placeIn, type Talk, type WrittenText } from './traffic.ts'

/** What became of everything that was written. */
export interface Figures {
  texts: number
  answers: number
  files: number
  lost: number
  doubled: number
  /** Texts of a company that another has, or that another's customer received. */
  strange: number
  /** Files that do not open, or with other bytes. */
  broken: number
  /** Answers of unknown outcome, which their attendants sent again. */
  resent: number
  /** The first of what is wrong. */
  examples: string[]
}

const SETTLE_MS = 240_000

/** Waits until nothing is under way, then compares what was written with the database and with the customers' phones. */
export async function audit(month: Month): Promise<Figures> {
  await month.traffic!.stop()
  await delivered(month)
  await settled(month)
  const resent = await sendUnknownAgain(month)
  await settled(month)
  const { talks, texts, answers } = month.traffic!
  const rows = (await rowsOf(month, MESSAGES)).map(({ row }) => row as Row)
  const found = compare(talks, rows, acceptedBy(month.meta))
  const files = await compareFiles(month, rows)
  return {
    ...{ texts: texts(), answers: answers(), files: files.many, resent },
    ...{ lost: found.lost.length, doubled: found.doubled.length, strange: found.strange.length },
    broken: files.broken.length,
    examples: [...found.lost, ...found.doubled, ...found.strange, ...files.broken].slice(0, talks.length),
  }
}

const MESSAGES = `select json_build_object('id', id, 'company_id', company_id, 'ticket_id', ticket_id, 'from_me', from_me,
  'body', body) as row from messages`

const acceptedBy = ({ sent }: CloudApiServer): Accepted[] =>
  sent
    .filter(({ failure }) => !failure)
    .map(({ number, customer, content }) => ({ from: number.id, to: customer?.number, text: content.text }))

/** Every delivery of Meta was accepted in the end. */
async function delivered({ meta }: Month) {
  await until(async () => {
    await meta.settled()
    const last = new Map(meta.webhooks.attempts.map(({ delivery, outcome }) => [delivery, outcome]))
    return [...last.values()].every(outcome => outcome === 200)
  }, SETTLE_MS)
}

/** Nothing waits in the product: what was received is handled, what is due has left. */
async function settled(month: Month) {
  const waiting = `select
    (select count(*) from cloud_deliveries where handled_at is null)::int
    + (select count(*) from inbound_events where handled_at is null)::int
    + (select count(*) from messages where waits)::int as many`
  await until(async () => (await rowsOf(month, waiting))[0]!.many === 0, SETTLE_MS)
  await delivered(month)
}

/** Answers of which nothing says whether they had left when their process died. */
export const unknownIn = (month: Month): Promise<Record<string, unknown>[]> =>
  rowsOf(
    month,
    `select id, company_id from messages where ack = 0 and fail_reason = 'ERR_WAPP_UNKNOWN_OUTCOME'`,
  )

/** As its attendant does who sees that it is not known whether a message has left. */
async function sendUnknownAgain(month: Month) {
  const unknown = await unknownIn(month)
  for (const { id, company_id } of unknown) {
    const { admin } = month.companies.find(company => company.id === company_id)!
    await admin.get(messages.resend, { params: { messageId: String(id) } })
  }
  return unknown.length
}

/** A message of the database. */
export interface Row {
  id: string
  company_id: number
  ticket_id: number
  from_me: boolean
  body: string
}

/** A message that Meta accepted, by the ids of the company's number and the customer's. */
export interface Accepted {
  from: string
  to: string | undefined
  text: string
}

interface Written {
  company: { id: number; place: number; number: { id: string } }
  customer: { number: string }
  wrote: { text: string }[]
  answered: { text: string }[]
}

/** What is not there once, in the database and at Meta, and what another company has. */
export function compare(talks: Written[], rows: Row[], accepted: Accepted[]) {
  const result = { lost: [] as string[], doubled: [] as string[], strange: [] as string[] }
  const inside = Map.groupBy(rows, ({ company_id, from_me, body }) => `${company_id} ${from_me} ${body}`)
  const outside = Map.groupBy(accepted, ({ from, to, text }) => `${from} ${to} ${text}`)
  const count = (text: string, found: unknown[] = []) => {
    if (found.length === 0) result.lost.push(text)
    if (found.length > 1) result.doubled.push(text)
  }
  for (const { company, customer, wrote, answered } of talks) {
    for (const { text } of wrote) count(text, inside.get(`${company.id} false ${text}`))
    for (const { text } of answered) {
      count(text, inside.get(`${company.id} true ${text}`))
      count(text, outside.get(`${company.number.id} ${customer.number} ${text}`))
    }
  }
  const placeOf = new Map(talks.map(({ company }) => [company.id, company.place]))
  const numberOf = new Map(talks.map(({ company }) => [company.number.id, company.place]))
  const isStrange = (text: string, place: number | undefined) => (placeIn(text) ?? place) !== place
  result.strange.push(
    ...rows
      .filter(({ company_id, body }) => isStrange(body, placeOf.get(company_id)))
      .map(({ body }) => body),
    ...accepted.filter(({ from, text }) => isStrange(text, numberOf.get(from))).map(({ text }) => text),
  )
  return result
}

/** Each file is fetched by its company's admin, through the proxy. */
async function compareFiles(month: Month, rows: Row[]) {
  const byText = new Map(rows.map(row => [`${row.company_id} ${row.body}`, row]))
  const broken: string[] = []
  let many = 0
  await Promise.all(
    month.traffic!.talks.map(async talk => {
      for (const written of [...talk.wrote, ...talk.answered]) {
        if (!written.file) continue
        many++
        const row = byText.get(`${talk.company.id} ${written.text}`)
        const why = row ? await whyBroken(talk, row, written) : 'its message is not there'
        if (why) broken.push(`the file of "${written.text}": ${why}`)
      }
    }),
  )
  return { many, broken }
}

async function whyBroken({ company: { admin } }: Talk, row: Row, { file }: WrittenText) {
  const params = { ticketId: row.ticket_id }
  const page = await admin.get(messages.list, { params, query: { around: row.id } })
  const message = page.messages.find(({ id }) => id === row.id)
  if (!message?.mediaUrl) return `it is ${message?.media?.state ?? 'none'}`
  const bytes = await admin.fetch(message.mediaUrl)
  return bytes.equals(file!) ? null : `${bytes.length} bytes instead of ${file!.length}, or others`
}
