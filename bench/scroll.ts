import { chromium, type Page } from '@playwright/test'
import { installedBrowser } from '../bin/browser.ts'
import { driveBoard } from './board.ts'
import { emailOf, PASSWORD } from './dataset.ts'
import type { Product } from './product.ts'
import type { Single } from './report.ts'

/** No frame may have more work of ours than this, in milliseconds of the processor: a busy machine does not count. */
const FRAME_MS = 50

/** Two long ways in a real browser, down a list and up a conversation; then the board. */
export async function scrollFar(product: Product): Promise<Single[]> {
  const executablePath = process.env.CHROMIUM_PATH ?? installedBrowser()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const viewport = { width: 1440, height: 900 }
    const context = await browser.newContext({ baseURL: product.url, viewport, locale: 'pt-BR' })
    const answer = await context.request.post('/auth/login', {
      data: { email: emailOf(1, 1), password: PASSWORD },
    })
    const { token } = (await answer.json()) as { token: string }
    await context.addInitScript(kept => localStorage.setItem('token', kept), token)
    const page = await context.newPage()
    await page.goto('/tickets')
    await page.getByText('Fechados', { exact: true }).click()
    await page.locator('[data-list=closed] [data-ticket]').first().waitFor()
    const list = await longestTask(page, () => travel(page, '[data-list=closed]', 1, 5_000))
    await page.goto('/tickets/1')
    await page.getByRole('log').locator('article').last().waitFor()
    const conversation = await longestTask(page, () => travel(page, '[role=log]', -1, 5_000))
    return [
      single('a list of 5,000 rows, scrolled to its end', list),
      single('a conversation of 5,000 messages, scrolled to its beginning', conversation),
      ...(await driveBoard(page, token, longestTask)),
    ]
  } finally {
    await browser.close()
  }
}

const single = (name: string, longest: number): Single => ({
  name: `longest task while scrolling: ${name}`,
  value: `${Math.round(longest)} ms`,
  target: `≤ ${FRAME_MS} ms`,
  met: longest <= FRAME_MS,
})

/** A screen's height a frame, waiting where the next page has not come; answers when so many rows have been passed. */
const travel = (page: Page, box: string, way: 1 | -1, rows: number) =>
  page.evaluate(
    async ({ box, way, rows }) => {
      const scroller = () => {
        let one = document.querySelector(box)
        while (one && one.scrollHeight <= one.clientHeight + 1) one = one.parentElement
        return one ?? document.documentElement
      }
      const frame = () => new Promise(drawn => requestAnimationFrame(drawn))
      const tall = 60
      for (let idle = 0, passed = 0; idle < 600 && passed < rows * tall; ) {
        const at = scroller()
        const before = at.scrollTop
        at.scrollTop += way * at.clientHeight * 0.8
        await frame()
        const moved = Math.abs(at.scrollTop - before)
        passed += moved
        idle = moved > 1 ? 0 : idle + 1
      }
    },
    { box, way, rows },
  )

interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/** The longest task of the page's own thread, in milliseconds that the processor worked on it. */
async function longestTask(page: Page, during: () => Promise<void>): Promise<number> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await during()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const worked = traceEvents
    .filter(({ pid, tid, tdur }) => tdur !== undefined && threads.has(`${pid} ${tid}`))
    .map(({ tdur }) => tdur! / 1000)
  if (worked.length === 0) throw new Error('the browser traced no task of the page')
  return worked.reduce((most, one) => Math.max(most, one), 0)
}
