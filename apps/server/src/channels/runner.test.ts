import { simulator } from '@balcao/contract/simulator.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newNumber } from '../../testing/rows.ts'
import { openWorld, type Person, until, type World } from '../../testing/world.ts'
import { sql as tag } from '../platform/sql.ts'

let world: World
let admin: Person
let whatsappId: number
beforeAll(async () => {
  world = await openWorld()
  admin = await world.as('admin@balcao.test')
  whatsappId = admin.user.whatsappId!
})
afterAll(() => world.close())

const write = (number: string) =>
  admin.get(simulator.write, { params: { whatsappId }, body: { number, name: 'Ana', body: 'Oi' } })
const isWaiting = async (number: string) =>
  (await admin.get(tickets.list, { query: { status: 'pending', showAll: true } })).tickets.some(
    ticket => ticket.contact.number === number,
  )
const leaseEnds = (seconds: number) =>
  world.platform.scopes
    .platform()
    .transaction(sql =>
      sql.execute(
        tag`update whatsapp_leases set expires_at = now() + ${seconds} * interval '1 second' where whatsapp_id = ${whatsappId}`,
      ),
    )

test('a session that took its lease for lost is opened again, though the lease was kept', async () => {
  const [first, second] = [newNumber(), newNumber()]
  await write(first)
  await until(() => isWaiting(first))
  // for a moment the lease is over, as where the owner stood still between two looks
  await leaseEnds(-1)
  await write(second)
  for (const end = Date.now() + 300; Date.now() < end; ) await isWaiting(second)
  await leaseEnds(6)
  await expect.poll(() => isWaiting(second), { timeout: 12_000 }).toBe(true)
})
