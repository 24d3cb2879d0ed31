import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from '@balcao/cloud-api-server/customer.ts'
import type { CloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { messages } from '@balcao/contract/messages.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { until } from '../../../apps/server/testing/person.ts'
import type { Company } from './companies.ts'

/** A text of a customer or of a company, and the file that it came with. */
export interface WrittenText {
  text: string
  file: Buffer<ArrayBuffer> | null
}

/** A customer and the attendant who answers. */
export interface Talk {
  company: Company
  customer: Customer
  ticketId: number
  wrote: WrittenText[]
  /** Those that the product has acknowledged. */
  answered: WrittenText[]
}

export interface Traffic {
  talks: Talk[]
  texts(): number
  answers(): number
  /** How often an answer was posted again, since there was no reply, or another than 200. */
  repeats(): number
  /** Resolves when in each conversation an answer that is written from now on has arrived. */
  goesOn(): Promise<void>
  /** Resolves when every answer is acknowledged that was begun. */
  stop(): Promise<void>
  /** Ends without waiting for anything. */
  abandon(): void
}

const CUSTOMERS_EACH = 2
const PAUSE_MS = 1_300
/** Of so many texts one comes with a file. */
const FILE_EACH = 12
const PATIENCE_MS = 240_000

/** Begins a conversation of each customer, and keeps all of them going until it is stopped. */
export async function startTraffic(meta: CloudApiServer, companies: Company[]): Promise<Traffic> {
  const talks = await Promise.all(
    companies.flatMap(company =>
      Array.from({ length: CUSTOMERS_EACH }, (_, place) => begin(meta, company, place + 1)),
    ),
  )
  const run = { goesOn: true, repeats: 0, failure: null as Error | null }
  const fail = (error: Error) => {
    run.goesOn = false
    run.failure ??= error
  }
  const loops = talks.flatMap((talk, place) => {
    const pause = () => sleep(PAUSE_MS + 23 * place)
    return [writing(run, talk, pause), answering(run, talk, pause)].map(loop => loop.catch(fail))
  })
  const sum = (of: 'wrote' | 'answered') => talks.reduce((many, talk) => many + talk[of].length, 0)
  const arrived = arrivals(meta)
  return {
    talks,
    texts: () => sum('wrote'),
    answers: () => sum('answered'),
    repeats: () => run.repeats,
    async goesOn() {
      // the one under way was perhaps begun before
      const wanted = talks.map(({ answered }) => ({ answered, from: answered.length + 1 }))
      await until(() => {
        if (run.failure) throw run.failure
        const texts = arrived()
        return wanted.every(({ answered, from }) => answered.slice(from).some(({ text }) => texts.has(text)))
      }, PATIENCE_MS)
    },
    async stop() {
      run.goesOn = false
      await Promise.all(loops)
      if (run.failure) throw run.failure
    },
    abandon() {
      run.goesOn = false
      run.failure ??= new Error('the traffic was abandoned')
    },
  }
}

interface Run {
  goesOn: boolean
  repeats: number
  failure: Error | null
}

/** A customer's first text opens a ticket, which the admin accepts. */
async function begin(meta: CloudApiServer, company: Company, place: number): Promise<Talk> {
  const { admin, queueId } = company
  const digits = `55119${70_000_000 + company.place * 100 + place}`
  const customer = meta.addCustomer(digits, { name: `Cliente ${company.place}.${place}` })
  const talk: Talk = { company, customer, ticketId: 0, wrote: [], answered: [] }
  write(talk)
  const query = { status: 'pending', showAll: true } as const
  const ticket = await until(async () => {
    const { tickets: found } = await admin.get(tickets.list, { query })
    return found.find(({ contact }) => contact.number === digits)
  }, PATIENCE_MS)
  talk.ticketId = ticket.id
  await admin.get(tickets.change, { params: { ticketId: ticket.id }, body: { status: 'open', queueId } })
  return talk
}

/** What is written in the texts of a company and of its customers begins so: no other company may have it. */
export const placeIn = (text: string): number | null => {
  const [, place] = /^(?:cliente|empresa) (\d+)\./.exec(text) ?? []
  return place ? Number(place) : null
}

const named = ({ company, customer }: Talk, who: 'cliente' | 'empresa', which: number) =>
  `${who} ${company.place}.${customer.number.slice(-2)} número ${which}`

const fileFor = (text: string, which: number) =>
  which % FILE_EACH === 0 ? Buffer.from(`${text}\n${randomBytes(2_000).toString('hex')}\n`) : null

function write(talk: Talk) {
  const which = talk.wrote.length + 1
  const text = named(talk, 'cliente', which)
  const file = fileFor(text, which)
  const document = file && { bytes: file, mime: 'text/plain', filename: `pedido-${which}.txt`, caption: text }
  talk.customer.says(document ? { document } : text, { to: talk.company.number })
  talk.wrote.push({ text, file })
}

async function writing(run: Run, talk: Talk, pause: () => Promise<void>) {
  for (; run.goesOn; await pause()) write(talk)
}

async function answering(run: Run, talk: Talk, pause: () => Promise<void>) {
  for (let which = 1; run.goesOn; which++) {
    const text = named(talk, 'empresa', which)
    const written = { text, file: fileFor(text, which) }
    await post(run, talk, written)
    talk.answered.push(written)
    await pause()
  }
}

/** As a screen does: under the same id until it is acknowledged. */
async function post(run: Run, { company, ticketId }: Talk, { text, file }: WrittenText) {
  const params = { ticketId, companyId: company.id }
  const body = { id: randomUUID(), body: text }
  const files = file && [{ name: 'nota.txt', type: 'text/plain', bytes: file }]
  let last = ''
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !run.failure; await sleep(300)) {
    const answer = await company.admin
      .call(messages.send, { params, body, ...(files && { files }) })
      .catch((error: Error) => error)
    if (!(answer instanceof Error) && answer.status === 200) return
    last = answer instanceof Error ? answer.message : `${answer.status} ${JSON.stringify(answer.body)}`
    run.repeats++
  }
  throw (
    run.failure ??
    new Error(`an answer was not acknowledged for ${PATIENCE_MS / 1_000} s; the last try: ${last}`)
  )
}

/** The texts that Meta has accepted for customers, read again at each call. */
function arrivals({ sent }: CloudApiServer) {
  const texts = new Set<string>()
  let seen = 0
  return () => {
    for (; seen < sent.length; seen++) texts.add(sent[seen]!.content.text)
    return texts
  }
}
