import { afterEach, describe, expect, test } from 'vitest'
import { reportFound } from '../../../testing/found.ts'
import { type MortalProduct, openMortalProduct } from '../../../testing/mortal-product.ts'
import { rounds, SEED } from '../../../testing/sample.ts'
import { freshStore, type Store } from '../../../testing/store.ts'
import { FLAWLESS, type PEERS, talkThroughDeaths } from '../../../testing/talks.ts'

/** For a longer look set PRODUCT_KILLS=200, and SOAK_SEED for other draws. */
const KILLS = Number(process.env.PRODUCT_KILLS ?? rounds(1, 2))
const peers = (process.env.SOAK_PEERS ?? 'mixed') as keyof typeof PEERS

describe('a linked number', () => {
  let store: Store
  let shop: MortalProduct

  afterEach(async () => {
    await shop?.close()
    await store?.remove()
  })

  test(`${KILLS} deaths of the product lose, double and break nothing, and no tick is missing`, {
    timeout: 600_000 + KILLS * 60_000,
  }, async () => {
    store = await freshStore()
    shop = await openMortalProduct(store)
    const { faults, written, answered } = await talkThroughDeaths(shop, { kills: KILLS, seed: SEED, peers })
    console.log(
      `kill -9 of a linked number: seed ${SEED}, ${peers} peers, ${KILLS} deaths, ${written} written, ${answered} answered`,
      faults,
    )
    reportFound(KILLS, faults)
    expect(faults).toEqual(FLAWLESS)
  })
})
