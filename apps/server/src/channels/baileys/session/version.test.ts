import { until } from '@balcao/whatsapp-server/wait.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newSession, type Scene, setScene } from '../../../../testing/whatsapp.ts'

/** Later than any that Baileys may bring. */
const NEW = 4_000_000_000
const NEWER = NEW + 1

let scene: Scene
beforeEach(async () => {
  scene = await setScene()
})
afterEach(() => scene.end())

const kept = () => scene.host.rows.get('web-version good')
const again = () => scene.server.dropSockets(scene.phone.number)

test('a version that WhatsApp refuses is replaced by the latest, which is kept once it was let in', async () => {
  expect(kept()).toBeUndefined()
  scene.server.faults.demandVersion(NEW)
  again()
  await until('the connection', () => scene.session.ready() && scene.host.state.status === 'CONNECTED')
  await until('it to be kept', () => kept() === `[2,3000,${NEW}]`)
})

test('while nobody says which is the latest, the last good one is kept, and serves as soon as it may', async () => {
  scene.server.faults.demandVersion(NEW)
  again()
  await until('it to be kept', () => kept() === `[2,3000,${NEW}]`)
  scene.server.faults.demandVersion(NEWER, 'broken')
  again()
  await until('some tries', () => scene.host.state.retries >= 3)
  expect(kept()).toBe(`[2,3000,${NEW}]`)
  // Also by a process that begins anew: what Baileys brings would be refused.
  scene.server.faults.demandVersion(NEW, 'broken')
  await scene.reopen()
  await until('the connection', () => scene.session.ready())
  expect(scene.host.state.retries).toBe(0)
})

test('one that turns out bad is not kept', async () => {
  scene.server.faults.demandVersion(NEW)
  scene.server.faults.refuse(405)
  again()
  await until('some tries', () => scene.host.state.retries >= 3)
  expect(kept()).toBeUndefined()
  scene.server.faults.refuse(undefined)
  await until('the connection', () => scene.session.ready())
  await until('it to be kept', () => kept() === `[2,3000,${NEW}]`)
})

test('the one that the operator chose is never changed', async () => {
  await scene.session.close({ logout: false })
  const pace = { firstMs: 20, mostMs: 50, restMs: 200 }
  scene.server.faults.demandVersion(NEWER)
  scene.session = await newSession(scene.server, scene.host, pace, [2, 3000, NEW])
  await until('some tries', () => scene.host.state.retries >= 3)
  expect(scene.session.ready()).toBe(false)
  scene.server.faults.demandVersion(NEW, 'broken')
  await until('the connection', () => scene.session.ready())
  expect(kept()).toBeUndefined()
})
