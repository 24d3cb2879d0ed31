import type { Page } from '@playwright/test'
import { driveBoard } from './board.ts'
import { inBrowser, longestTask } from './browser.ts'
import type { Product } from './product.ts'
import type { Single } from './report.ts'

/** No frame may have more work of ours than this, in milliseconds of the processor: a busy machine does not count. */
const FRAME_MS = 50

/** No frame may come later than this behind the one before, however busy the machine. */
const LATE_MS = 100

/** Two long ways in a real browser, down a list and up a conversation; then the board. */
export const scrollFar = (product: Product): Promise<Single[]> =>
  inBrowser(product, 1, async ({ page, token }) => {
    await page.goto('/tickets')
    await page.getByText('Fechados', { exact: true }).click()
    await page.locator('[data-list=closed] [data-ticket]').first().waitFor()
    const list = await longestTask(page, () => travel(page, '[data-list=closed]', 1, 5_000))
    return [
      single('a list of 5,000 rows, scrolled to its end', list),
      ...(await scrollConversation(page)),
      ...(await driveBoard(page, token, longestTask)),
    ]
  })

/** Up to the beginning: the longest task, and the longest time between two frames. */
export async function scrollConversation(page: Page): Promise<Single[]> {
  await page.goto('/tickets/1')
  await page.getByRole('log').locator('article').last().waitFor()
  let frame = 0
  const task = await longestTask(page, async () => {
    frame = await travel(page, '[role=log]', -1, 5_000)
  })
  const name = 'a conversation of 5,000 messages, scrolled to its beginning'
  return [
    single(name, task),
    {
      name: `longest wait for a frame: ${name}`,
      value: `${Math.round(frame)} ms`,
      target: `≤ ${LATE_MS} ms`,
      met: frame <= LATE_MS,
    },
  ]
}

const single = (name: string, longest: number): Single => ({
  name: `longest task while scrolling: ${name}`,
  value: `${Math.round(longest)} ms`,
  target: `≤ ${FRAME_MS} ms`,
  met: longest <= FRAME_MS,
})

/**
 * A screen's height a frame, waiting where the next page has not come, until so many rows have been passed. Answers the
 * longest time between two frames.
 */
const travel = (page: Page, box: string, way: 1 | -1, rows: number) =>
  page.evaluate(
    async ({ box, way, rows }) => {
      const scroller = () => {
        let one = document.querySelector(box)
        while (one && one.scrollHeight <= one.clientHeight + 1) one = one.parentElement
        return one ?? document.documentElement
      }
      const frame = () => new Promise<number>(drawn => requestAnimationFrame(drawn))
      const tall = 60
      let longest = 0
      for (let idle = 0, passed = 0, last = await frame(); idle < 600 && passed < rows * tall; ) {
        const at = scroller()
        const before = at.scrollTop
        at.scrollTop += way * at.clientHeight * 0.8
        const now = await frame()
        longest = Math.max(longest, now - last)
        last = now
        const moved = Math.abs(at.scrollTop - before)
        passed += moved
        idle = moved > 1 ? 0 : idle + 1
      }
      return longest
    },
    { box, way, rows },
  )
