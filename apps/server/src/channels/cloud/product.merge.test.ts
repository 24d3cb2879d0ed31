import { type CloudApiServer, startCloudApiServer } from '@balcao/cloud-api-server/server.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { messages } from '@balcao/contract/messages.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, settingsOf, VERIFY_TOKEN } from '../../../testing/cloud.ts'
import { type Process, startProcess } from '../../../testing/process.ts'
import { rounds } from '../../../testing/sample.ts'
import { freshStore, type Store } from '../../../testing/store.ts'
import { enter, type Person, until } from '../../../testing/test-app.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const PATIENCE_MS = 60_000
const ROUNDS = rounds(8, 40)

/** One process receives that a person without a number has one, and another process merges the same contacts for a user. */

let store: Store
let meta: CloudApiServer
let receiver: Process
let other: Process
let admin: Person
beforeAll(async () => {
  store = await freshStore()
  meta = await startCloudApiServer({ webhooks: { backOff: [200], lanes: 4 } })
  const start = () => startProcess({ ...store.env, GRAPH_API_URL: meta.url })
  receiver = await start()
  const first = await enter(receiver.url, 'admin@balcao.test')
  const { webhook } = await connect(receiver, first, settingsOf(meta))
  await meta.app.subscribe(webhook, VERIFY_TOKEN)
  // of several connections the other process gets its share
  await store.rows(`update whatsapps set wanted = 'off' where lib <> 'cloud'`)
  await store.rows(
    `delete from whatsapp_leases l using whatsapps w where w.id = l.whatsapp_id and w.lib <> 'cloud'`,
  )
  other = await start()
  admin = await enter(other.url, 'admin@balcao.test')
})
afterAll(async () => {
  await Promise.all([receiver?.stop(), other?.stop()])
  await meta?.close()
  await store?.remove()
})

const found = async (searchParam: string) =>
  (await admin.get(contacts.list, { query: { searchParam } })).contacts
const received = async (ticketIds: number[]) => {
  const pages = await Promise.all(
    ticketIds.map(ticketId => admin.get(messages.list, { params: { ticketId } })),
  )
  return pages.flatMap(page => page.messages).flatMap(one => (one.fromMe ? [] : one.body))
}

/** A person who has written without the number, and the contact that a user made of the number. */
async function twice(nth: number) {
  const username = `pessoa.${100_000 + nth}`
  const person = meta.addCustomer(`5511973${100_000 + nth}`, { username, showsNumber: false })
  const body = { name: `Com número ${username}`, number: person.number }
  const { id: into } = await admin.get(contacts.create, { body })
  person.says('Sem número')
  const from = await until(async () => (await found(`@${username}`))[0]?.id, PATIENCE_MS)
  return { person, pair: { into, from } }
}
type Twice = Awaited<ReturnType<typeof twice>>

const merge = async ({ pair }: Twice) => (await admin.call(contactMerges.merge, { body: pair })).status
function appears({ person }: Twice) {
  person.showsNumber = true
  for (const body of ['Sou eu', 'de novo']) person.says(body)
}

async function areOne({ person: { number, username }, pair: { into } }: Twice) {
  const { one, bodies } = await until(async () => {
    const [one, ...others] = await found(number)
    const bodies = await received(one?.tickets.map(({ id }) => id) ?? [])
    return others.length === 0 && bodies.length >= 3 && { one: one!, bodies }
  }, PATIENCE_MS)
  expect([one.id, one.username, bodies.toSorted()]).toEqual([
    into,
    username,
    ['Sem número', 'Sou eu', 'de novo'],
  ])
  expect((await found(`@${username}`)).map(({ id }) => id)).toEqual([into])
}

test(`two contacts become one in two processes at once, ${ROUNDS} times: nothing is lost or doubled`, async () => {
  const all = await Promise.all(Array.from({ length: ROUNDS }, (_, nth) => twice(nth)))
  const answers = await Promise.all(
    all.map(async (one, nth) => {
      appears(one)
      // of every second pair the message is there first
      if (nth % 2 === 1)
        await until(async () => (await found(one.person.number))[0]?.username === one.person.username)
      return merge(one)
    }),
  )
  expect(new Set(answers)).toEqual(new Set([200, 404]))
  for (const one of all) await areOne(one)
})

/** Each in the middle of its transaction. */
const steps = [
  ['receives', 'features/contacts/contacts.identifiers.queries.ts#moveRecords:after'],
  ['works for a user', 'features/contacts/contacts.identifiers.queries.ts#moveIdentifiers:after'],
] as const

test.each(steps)(
  'a process that %s and is frozen in a merge undoes nothing of another process',
  async (_, point) => {
    admin = await enter(other.url, 'admin@balcao.test')
    const one = await twice(1_000 + steps.findIndex(step => step[1] === point))
    const isReceiver = point.includes('moveRecords')
    const frozen = isReceiver ? receiver : other
    await frozen.freezeAt(point)
    const answer = isReceiver ? null : merge(one)
    if (isReceiver) appears(one)
    await until(async () => {
      const isIdle = `state = 'idle in transaction' and state_change < now() - interval '0.3 s'`
      return (
        await store.rows(`select from pg_stat_activity where datname = current_database() and ${isIdle}`)
      ).length
    }, PATIENCE_MS)
    const atWork = isReceiver ? other : receiver
    admin = await enter(atWork.url, 'admin@balcao.test')
    if (isReceiver) expect(await merge(one)).toBe(200)
    else appears(one)
    await areOne(one)
    frozen.wake()
    if (answer) expect([404, 503]).toContain(await answer)
    await areOne(one)
  },
)
