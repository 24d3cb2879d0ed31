import { contacts } from '@balcao/contract/contacts.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { reportFound } from '../../testing/found.ts'
import { type Process, startProcess } from '../../testing/process.ts'
import { redisServer } from '../../testing/redis.ts'
import { rounds, sample } from '../../testing/sample.ts'
import { freshStore, type Store } from '../../testing/store.ts'
import { enter, type Person, until } from '../../testing/test-app.ts'

vi.setConfig({ testTimeout: 400_000, hookTimeout: 180_000 })

/** How many are due at once, and how often a process dies while they leave. */
const DUE = Number(process.env.SCHEDULES_DUE ?? rounds(40, 80))
const DEATHS = Number(process.env.SCHEDULE_DEATHS ?? rounds(2, 4))
const PREFIX = '5511984'

const redis = await redisServer()

describe('kill -9 among schedules', () => {
  let store: Store
  let product: Process
  let admin: Person

  const start = async () => {
    // the leases of the dead process have run out by then
    if (product) await store.endLeases()
    product = await startProcess({ ...store.env, LOG_LEVEL: 'error' })
    admin = await enter(product.url, 'admin@balcao.test')
  }
  beforeAll(async () => {
    store = await freshStore()
    await start()
  })
  afterAll(async () => {
    await product?.stop()
    await store?.remove()
  })

  let last = 0
  async function someone() {
    const number = `${PREFIX}${String(100_000 + ++last)}`
    const { id: contactId } = await admin.get(contacts.create, { body: { name: 'Renata', number } })
    return { number, contactId }
  }
  const plan = (contactId: number, sendAt: number, fields: object = {}) =>
    admin.call(schedules.create, {
      params: { companyId: admin.user.companyId },
      body: { contactId, body: `Para ${contactId}`, sendAt: new Date(sendAt).toISOString(), ...fields },
    })
  /** The same call as for many contacts: an occurrence of each is a row. */
  const several = (contactId: number, sendAt: number, fields: object) =>
    admin.call(schedules.createSeveral, {
      params: { companyId: admin.user.companyId },
      body: {
        contactIds: [contactId],
        body: `Para ${contactId}`,
        sendAt: new Date(sendAt).toISOString(),
        ...fields,
      },
    })
  const of = async (contactId: number) =>
    (await admin.get(schedules.list, { query: { contactId } })).schedules
  const heardBy = (number: string) =>
    admin.get(simulator.chat, { params: { whatsappId: admin.user.whatsappId!, number } })

  const points = [
    ['when it is claimed', 'features/schedules/schedules.occurrences.queries.ts#claimDue:after'],
    [
      'when its occurrence is a row',
      'features/schedules/schedules.occurrences.queries.ts#recordOccurrence:after',
    ],
    ['when its message is a row', 'features/messages/messages.queries.ts#insertMessages:after'],
    ['when the next one is planned', 'features/schedules/schedules.occurrences.queries.ts#planNext:after'],
    ['before it leaves', 'features/simulator/simulator.actions.ts#deliver:before'],
    ['after it left, before the mark', 'features/simulator/simulator.actions.ts#deliver:after'],
    ['in the middle of the mark', 'features/schedules/schedules.outcome.actions.ts#settleOccurrences:after'],
  ] as const
  test.each(sample(points, 2))('%s: it arrives once, and the next one is planned once', async (_, point) => {
    const { number, contactId } = await someone()
    await product.dieAt(point)
    // the answer may die with the process
    await several(contactId, Date.now() - 1_000, {
      typeSchedule: 'Recorrente em Dias',
      everyDays: 7,
      repeatCounter: 3,
    }).catch(() => {})
    expect(await product.ended).toBe('SIGKILL')
    await start()
    const [stands, ...others] = await until(async () => {
      const all = await of(contactId)
      return all[0]?.last?.state === 'sent' && all
    }, 30_000)
    expect([stands!.number, stands!.repeatCounter, others]).toEqual([1, 2, []])
    expect((await heardBy(number)).map(one => one.body)).toEqual([`Para ${contactId}`])
  })

  test(`${DUE} due at once while processes die: none lost, none twice, all marked late`, async () => {
    const people = []
    for (let at = 0; at < DUE; at++) people.push(await someone())
    for (const { contactId } of people) await plan(contactId, Date.now() + 3_600_000)
    await product.stop()
    const ids = `(${people.map(({ contactId }) => contactId)})`
    await store.rows(`update schedules set send_at = send_at - interval '2 hours', next_at = next_at - interval '2 hours'
      where contact_id in ${ids}`)
    const helpers = 'url' in redis ? [{ REDIS_URL: redis.url, ROLES: 'worker' }] : []
    const beside: Record<string, string> =
      'url' in redis && helpers.length > 0 ? { REDIS_URL: redis.url } : {}
    for (let death = 0; death < DEATHS; death++) {
      const env = { ...store.env, LOG_LEVEL: 'error', ...beside }
      await store.endLeases()
      const all = await Promise.all([{}, ...helpers].map(more => startProcess({ ...env, ...more })))
      const end = Date.now() + 60 * (1 + ((death * 7) % 11))
      await until(() => Date.now() > end)
      for (const one of all) await one.kill()
    }
    await start()
    await until(async () => {
      const { schedules: left } = await admin.get(schedules.list, {
        query: { status: 'PENDENTE', searchParam: 'Para ' },
      })
      return (
        left.every(({ planned, typeSchedule }) => !planned || typeSchedule !== 'Único') && left.every(done)
      )
    }, 120_000)
    await product.stop()
    const [figures] = await store.rows(`
      with due as (select * from schedules where contact_id in ${ids}),
        said as (select m.* from messages m join due on due.company_id = m.company_id and due.contact_id = m.contact_id
          where m.source = 'schedule'),
        heard as (select p.* from simulator_messages p join contacts c on c.number = p.number and c.id in ${ids}
          where p.from_me)
      select (select count(*) from due)::int as due,
        (select count(*) from due where status = 'ENVIADA')::int as sent,
        (select count(*) from schedule_occurrences o join due on due.id = o.schedule_id
          where o.company_id = due.company_id and o.late and o.state = 'sent')::int as late,
        (select count(*) from said)::int as written, (select count(distinct contact_id) from said)::int as "written to",
        (select count(*) from heard)::int as heard, (select count(distinct number) from heard)::int as "heard by"`)
    console.log(`schedules, kill -9 ${DEATHS} times, ${1 + helpers.length} worker(s):`, figures)
    const { heard, 'heard by': reached } = figures as Record<'heard' | 'heard by', number>
    reportFound(DEATHS, { lost: DUE - reached, doubled: heard - reached })
    expect(figures).toEqual({
      due: DUE,
      sent: DUE,
      late: DUE,
      written: DUE,
      'written to': DUE,
      heard: DUE,
      'heard by': DUE,
    })
  })
})

/** Nothing of it waits in the outbox; a series goes on. */
const done = ({ last, typeSchedule }: { last: { state: string } | null; typeSchedule: string }) =>
  typeSchedule === 'Único' ? last?.state === 'sent' : last?.state !== 'waiting'
