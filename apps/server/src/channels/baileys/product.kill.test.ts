import { afterEach, describe, expect, test } from 'vitest'
import { type MortalProduct, openMortalProduct } from '../../../testing/mortal-product.ts'
import { bothPlaces, type Store } from '../../../testing/store.ts'
import { FLAWLESS, type PEERS, talkThroughDeaths } from '../../../testing/talks.ts'

/** For a longer look set HOUSE_KILLS=200, and SOAK_SEED for other draws. */
const KILLS = Number(process.env.HOUSE_KILLS ?? 2)
const SEED = Number(process.env.SOAK_SEED ?? 1)
const peers = (process.env.SOAK_PEERS ?? 'mixed') as keyof typeof PEERS

describe.each(await bothPlaces())('on $name $skip', ({ name, open, skip }) => {
  let store: Store
  let shop: MortalProduct

  afterEach(async () => {
    await shop?.close()
    await store?.remove()
  })

  test.skipIf(skip)(
    `${KILLS} deaths of the product lose, double and break nothing, and no tick is missing`,
    {
      timeout: 600_000 + KILLS * 60_000,
    },
    async () => {
      store = await open()
      shop = await openMortalProduct(store)
      const { faults, written, answered } = await talkThroughDeaths(shop, { kills: KILLS, seed: SEED, peers })
      console.log(
        `kill -9 on ${name}: seed ${SEED}, ${peers} peers, ${KILLS} deaths, ${written} written, ${answered} answered`,
        faults,
      )
      expect(faults).toEqual(FLAWLESS)
    },
  )
})
