import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportFound } from '../../../../testing/found.ts'
import { type MortalSession, openMortalSession } from '../../../../testing/mortal.ts'
import { rounds, SEED } from '../../../../testing/sample.ts'
import { FLAWLESS, type PEERS, talkThroughDeaths } from '../../../../testing/talks.ts'

/** For a longer look set RATCHET_KILLS=200, and SOAK_SEED for other draws. */
const KILLS = Number(process.env.RATCHET_KILLS ?? rounds(2, 6))
const peers = (process.env.SOAK_PEERS ?? 'mixed') as keyof typeof PEERS

let shop: MortalSession

beforeAll(async () => {
  shop = await openMortalSession()
}, 120_000)
afterAll(() => shop.close())

test(`${KILLS} deaths at every point of sending and receiving: no ratchet goes back, no tick is missing`, {
  timeout: 120_000 + KILLS * 30_000,
}, async () => {
  const { faults, written, answered } = await talkThroughDeaths(shop, { kills: KILLS, seed: SEED, peers })
  console.log(
    `ratchets: seed ${SEED}, ${peers} peers, ${KILLS} deaths, ${written} written, ${answered} answered`,
    faults,
  )
  reportFound(KILLS, faults)
  expect(faults).toEqual(FLAWLESS)
})
