import { expect, type Page } from '@playwright/test'

/** Colours on their way from one to another have no contrast of their own; what turns for ever is not waited for. */
export async function stillness(page: Page) {
  let looks = 0
  const isStill = async () => {
    looks = (await page.evaluate(isMoving)) ? 0 : looks + 1
    // what was just opened begins to move a frame later
    return looks === 3
  }
  await expect.poll(isStill, { intervals: [20] }).toBe(true)
}

const isMoving = () =>
  document
    .getAnimations()
    .some(
      ({ playState, effect }) =>
        playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
    )
