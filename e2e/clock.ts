import { expect, type Locator, type Page } from '@playwright/test'

/** From here on the page's clock stands, and goes only as far as it is told. */
export async function stopClock(page: Page) {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Lets the page's clock go on in small steps until something is there. */
export const runUntil = (page: Page, what: Locator) =>
  expect
    .poll(async () => {
      await page.clock.runFor(100)
      return what.count()
    })
    .toBe(1)

/** What is told goes by itself after so many seconds, and not before. The page's clock stands. */
export async function expectToLast(page: Page, told: Locator, seconds: number) {
  await runUntil(page, told)
  await page.clock.runFor(seconds * 1_000 - 500)
  await expect(told).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(told).toHaveCount(0)
}
