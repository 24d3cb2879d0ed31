import { openPostOffice, type PostOffice } from '../apps/server/testing/smtp.ts'
import { test as base, startWorld, type World } from './world.ts'

export { expect } from '@playwright/test'

/** The product with a post office: what it writes to people arrives there. */
export const test = base.extend<object, { office: PostOffice; world: World }>({
  office: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const office = await openPostOffice()
      await use(office)
      await office.close()
    },
    { scope: 'worker' },
  ],
  world: [
    async ({ office }, use) => {
      const world = await startWorld(office.env)
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
