import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import type { Store } from './store.ts'
import type { Person } from './test-app.ts'

export interface Load {
  people: number
  /** Messages planned for tomorrow. */
  planned: number
  lines: number
}

/** Begin with these, so that the figures know whose they are. */
const ASKED = '5511976'
const PLANNED = '5511975'
const DAY_MS = 86_400_000
const numbersOf = (prefix: string, many: number) =>
  Array.from({ length: many }, (_, at) => `${prefix}${100_000 + at}`)

/** A campaign that begins in an hour, over several numbers, and single messages planned for tomorrow. Answers the campaign. */
export async function furnishSending(admin: Person, { people, planned, lines }: Load): Promise<number> {
  const whatsapps: number[] = []
  for (let at = 0; at < lines; at++) {
    const { id } = await admin.get(connections.create, { body: { name: `Número ${at}`, lib: 'simulator' } })
    await admin.get(connections.start, { params: { whatsappId: id } })
    whatsapps.push(id)
  }
  const { companyId } = admin.user
  for (const number of numbersOf(PLANNED, planned)) {
    const { id: contactId } = await admin.get(contacts.create, { body: { name: 'Renata', number } })
    const body = { contactId, body: `Para ${number}`, sendAt: new Date(Date.now() + DAY_MS).toISOString() }
    await admin.get(schedules.create, { params: { companyId }, body })
  }
  const setup = { name: 'Ritmo', whatsapps, autoStart: false }
  const { id: token } = await admin.get(campaignSetups.create, { body: setup })
  const made = await admin.get(campaigns.createWhole, {
    headers: { authorization: `Bearer ${token}` },
    body: {
      name: 'Ofertas',
      schedule: new Date(Date.now() + DAY_MS / 24).toISOString(),
      messages: [{ greeting: 'Oi!', body: 'Ofertas da loja' }],
      sendList: numbersOf(ASKED, people),
    },
  })
  return made.id
}

/** The campaign's time has come, nothing pauses between its people, and the plan lets so many leave in an hour. */
export const openTheHour = (store: Store, hourCap: number) =>
  atOnce(store, [
    'update campaign_setups set t_min = 0, t_max = 0, interval_seconds = 0',
    `update plans set campaign_send_limit_per_hour = ${hourCap}`,
    `update campaigns set schedule = now() where status = 'scheduled'`,
  ])

/** All that happened, and all that waits for its time, moves into the past together. Answers what did not leave until now. */
export const passMinutes = (store: Store, minutes: number, { everyoneIsDead }: { everyoneIsDead: boolean }) =>
  atOnce(store, [
    moved('campaign_departures', minutes, 'at'),
    moved('campaign_clocks', minutes, 'free_at', 'look_at'),
    moved('simulator_messages', minutes, 'created_at'),
    moved('messages', minutes, 'created_at', 'due_at', 'typing_from'),
    // its reason to wait is over: it reports the next one
    'update campaigns set wait_reason = null, waits_until = null',
    ...(everyoneIsDead ? [moved('whatsapp_leases', minutes, 'expires_at')] : []),
  ])

const moved = (table: string, minutes: number, ...columns: string[]) =>
  `update ${table} set ${columns.map(name => `${name} = ${name} - interval '${minutes} minutes'`)}`

/** So many of the planned fall due one after the other within some seconds. */
export const makeDue = (store: Store, many: number, withinSeconds: number) =>
  atOnce(store, [
    `update schedules s set send_at = due.at, first_at = due.at, next_at = due.at
      from (select company_id, id, now() + random() * ${withinSeconds} * interval '1 second' as at from schedules
        where next_at > now() + interval '1 hour' and ${isPlanned} order by id limit ${many}) due
      where (s.company_id, s.id) = (due.company_id, due.id)`,
  ])

const isPlanned = `body like 'Para ${PLANNED}%'`

/** In one transaction. Where the product works meanwhile, either may be in the other's way. */
async function atOnce(store: Store, statements: string[]) {
  const [row] = await unlessInTheWay(() =>
    store.rows(`${holding(statements)}with ${statements.map((one, at) => `s${at} as (${one})`)}
    select (select count(*) from campaign_dispatches where status in ('pending', 'sending'))::int as people,
      (select count(*) from schedules where status <> 'ENVIADA' and ${isPlanned})::int as planned`),
  )
  return row as { people: number; planned: number }
}

/**
 * Locks all tables that are changed before the first change, or none: without waiting while holding there is no
 * deadlock, however many workers write. They wait that moment.
 */
const holding = (statements: string[]) => {
  const tables = statements.map(one => /update (\w+)/.exec(one)![1])
  return `lock table ${tables.join(', ')} in exclusive mode nowait; `
}

/** 40P01: PostgreSQL chose the test as the victim of a deadlock; 55P03: another transaction holds the lock. */
const inTheWay = ['40P01', '55P03']
const PATIENCE_MS = 120_000

/** Asks again while a worker is in the way. */
export async function unlessInTheWay<T>(ask: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; )
    try {
      return await ask()
    } catch (error) {
      if (!inTheWay.includes((error as { code?: string }).code ?? '') || Date.now() > end) throw error
      await new Promise(done => setTimeout(done, 3))
    }
}

/** True when nothing more leaves at this hour: the campaign is over or waits for the next one, and no planned message is left. */
export async function isQuiet(admin: Person, campaignId: number): Promise<boolean> {
  const { campaign } = await admin.get(campaigns.show, { params: { campaignId } })
  const { counts, waits, status } = campaign
  const waitsForHour = status === 'start' && waits?.reason === 'hour' && counts.sending === 0
  if (status !== 'finalized' && !waitsForHour) return false
  const query = { status: 'PENDENTE', searchParam: `Para ${PLANNED}` } as const
  return (await admin.get(schedules.list, { query })).schedules.length === 0
}

/** The demo people have numbers like these, too. */
const ofPhones = (prefix: string, said: string) =>
  `(select * from simulator_messages where from_me and number like '${prefix}%' and ${said})`

/**
 * What the phones received against what the application counts; `most in an hour`: recipients of the campaign, in any
 * rolling hour.
 */
export async function sendingFigures(store: Store) {
  const [row] = await store.rows(`
    with asked as ${ofPhones(ASKED, `body in ('Oi!', 'Ofertas da loja')`)}, planned as ${ofPhones(PLANNED, `body like 'Para ${PLANNED}%'`)},
      people as (select * from campaign_dispatches), heard as (select number, body from asked)
    select (select count(*) from people)::int as people,
      (select count(*) from people p where (select count(distinct body) from heard h where h.number = p.number) < 2)::int
        as "people lost",
      (select count(*) - count(distinct (number, body)) from heard)::int as "people doubled",
      (select count(*) from people where status = 'sent')::int as "counted as sent",
      (select sum(sent) from campaigns)::int as "sent by the campaign",
      (select sum(sending + failed) from campaigns)::int as "under way or failed",
      (select max((select count(distinct o.number) from asked o
        where o.created_at > a.created_at - interval '1 hour' and o.created_at <= a.created_at)) from asked a)::int
        as "most in an hour",
      (select ceil(extract(epoch from max(created_at) - min(created_at)) / 3600) from asked)::int as "hours it took",
      (select count(*) from schedules where ${isPlanned})::int as planned,
      (select count(*) from schedules where status = 'ENVIADA' and ${isPlanned})::int as "marked as sent",
      (select count(distinct number) from planned)::int as "planned heard",
      (select count(*) - count(distinct number) from planned)::int as "planned doubled",
      (select coalesce(sum(copies - 1), 0) from simulator_messages)::int as "second copies under the same id",
      (select count(*) from messages where waits)::int as "left in outbox"`)
  return row as Record<string, number>
}
