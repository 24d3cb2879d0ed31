import type { Page } from '@playwright/test'
import { END, inBrowser, type Opened, tasksDuring, workOf } from './browser.ts'
import { type Product, pause } from './product.ts'
import type { Single } from './report.ts'
import { scrollConversation } from './scroll.ts'

/** From the click on a row to its conversation on the screen, in milliseconds: the first time, and again. */
const FIRST_MS = 100
const AGAIN_MS = 30
/** Of the processor, for one key in the composer. */
const KEY_MS = 16
const COLD_MS = 3_500
const COLD_BYTES = 280_000
const COLD_REQUESTS = 25

/** Who holds ticket 1, the long one. */
const ATTENDANT = 3
const ROWS = 30
const KEYS = 120
/** Between two clicks and between two keys: what they set off is over. */
const PAUSE_MS = 400
/** Milliseconds that a mouse hovers over a row before the click. */
const AIM_MS = 150

const parts: Record<string, (opened: Opened) => Promise<Single[]>> = {
  click: ({ page }) => clickRows(page),
  type: async ({ page }) => [await typeWords(page)],
  cold: ({ open }) => startCold(open),
  read: ({ page }) => scrollConversation(page),
}

/**
 * What people wait for when they work with conversations: a click on a row, a key, a cold start on a phone, the way to
 * the beginning of a long one.
 */
export async function driveFelt(product: Product, wants: (part: string) => boolean): Promise<Single[]> {
  const wanted = Object.keys(parts).filter(wants)
  if (wanted.length === 0) return []
  return inBrowser(product, ATTENDANT, async opened => {
    const singles: Single[] = []
    for (const part of wanted) singles.push(...(await parts[part]!(opened)))
    return singles
  })
}

async function clickRows(page: Page): Promise<Single[]> {
  await page.goto('/tickets')
  const rows = page.locator('[data-list=assigned] [data-ticket]')
  await rows.first().waitFor()
  await page.waitForLoadState('networkidle')
  const ids: string[] = []
  const first: number[] = []
  const firstTasks = await tasksDuring(page, async () => {
    while (ids.length < ROWS) {
      const shown = await rows.evaluateAll(all => all.map(row => (row as HTMLElement).dataset.ticket!))
      const id = shown.find(one => !ids.includes(one))
      if (!id) break
      first.push(await clickToDrawn(page, id))
      ids.push(id)
    }
  })
  const again: number[] = []
  const againTasks = await tasksDuring(page, async () => {
    // the last one is open
    for (const id of ids.slice(-9, -1)) again.push(await clickToDrawn(page, id))
    for (const id of ids.slice(-9, -2).reverse()) again.push(await clickToDrawn(page, id))
  })
  const name = 'click on a row to its conversation drawn'
  return [
    percentiles(`${name}, the first time`, first, workOf(firstTasks), FIRST_MS),
    percentiles(`${name}, again`, again, workOf(againTasks), AGAIN_MS),
  ]
}

/** Milliseconds between the click and the frame that shows messages of another conversation. */
async function clickToDrawn(page: Page, id: string): Promise<number> {
  const row = page.locator(`[data-list=assigned] [data-ticket="${id}"]`)
  await row.scrollIntoViewIfNeeded()
  await page.evaluate(end => {
    const before = document.querySelector('[role=log]')
    const isDrawn = () => {
      const now = document.querySelector('[role=log]')
      return now !== before && now?.querySelector('article')
    }
    const clicked = new Promise<number>(done =>
      addEventListener('click', ({ timeStamp }) => done(timeStamp), { capture: true, once: true }),
    )
    const painted = new Promise<number>((done, fail) => {
      setTimeout(() => fail(new Error('no conversation was drawn')), 10_000)
      const look = () => {
        if (!isDrawn()) return requestAnimationFrame(look)
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.mark(end).startTime)
        port2.postMessage(null)
      }
      requestAnimationFrame(look)
    })
    Object.assign(window, { drawn: Promise.all([clicked, painted]).then(([from, to]) => to - from) })
  }, END)
  await row.hover()
  await pause(AIM_MS)
  await page.mouse.down()
  await page.mouse.up()
  const took = await page.evaluate(() => Reflect.get(window, 'drawn') as Promise<number>)
  await pause(PAUSE_MS)
  return took
}

/** Of the clock, which a busy machine makes late, and beside it of the processor. */
const percentiles = (name: string, all: number[], worked: number[], most: number): Single => {
  const p50 = at(all, 0.5)
  return {
    name: `${name} (${all.length})`,
    value: `p50 ${p50} ms, p95 ${at(all, 0.95)} ms; of the processor ${at(worked, 0.5)} and ${at(worked, 0.95)} ms`,
    target: `p50 ≤ ${most} ms`,
    met: p50 <= most,
  }
}

const at = (all: number[], part: number) =>
  Math.round(all.toSorted((a, b) => a - b)[Math.ceil(all.length * part) - 1]! * 10) / 10

/** Key by key into the composer of a conversation of 5,000 messages: what each one costs, with the frame it draws. */
async function typeWords(page: Page): Promise<Single> {
  await page.goto('/tickets/1')
  const field = page.getByRole('textbox').last()
  await field.waitFor()
  await page.getByRole('log').locator('article').last().waitFor()
  await field.click()
  await pause(PAUSE_MS)
  const tasks = await tasksDuring(page, async () => {
    for (let key = 0; key < KEYS; key++) {
      await page.keyboard.press(key % 6 === 5 ? 'Space' : 'abcdef'[key % 6]!)
      await pause(50)
    }
  })
  await field.fill('')
  const perKey = workOf(tasks)
  const p95 = at(perKey, 0.95)
  return {
    name: `a key in the composer, work until it is drawn (${perKey.length})`,
    value: `p50 ${at(perKey, 0.5)} ms, p95 ${p95} ms`,
    target: `p95 ≤ ${KEY_MS} ms`,
    met: p95 <= KEY_MS,
  }
}

/** A phone of the middle: a quarter of this processor, 1.6 Mbit/s, 150 ms. Three starts, the median of each figure. */
async function startCold(open: Opened['open']): Promise<Single[]> {
  const starts: Awaited<ReturnType<typeof coldStart>>[] = []
  for (let time = 0; time < 3; time++) starts.push(await coldStart(open))
  const median = (of: (one: (typeof starts)[number]) => number) =>
    Math.round(starts.map(of).toSorted((a, b) => a - b)[1]!)
  const [ms, bytes, requests] = [median(one => one.ms), median(one => one.bytes), median(one => one.requests)]
  const name = 'a cold start of /tickets on a phone of the middle'
  return [
    { name: `${name}: the list stands`, value: `${ms} ms`, target: `≤ ${COLD_MS} ms`, met: ms <= COLD_MS },
    {
      name: `${name}: fetched until then`,
      value: `${(bytes / 1000).toFixed(0)} kB in ${requests} requests`,
      target: `≤ ${COLD_BYTES / 1000} kB in ≤ ${COLD_REQUESTS}`,
      met: bytes <= COLD_BYTES && requests <= COLD_REQUESTS,
    },
  ]
}

async function coldStart(open: Opened['open']) {
  const context = await open({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  try {
    const page = await context.newPage()
    const line = await context.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    })
    await line.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    let requests = 0
    const bytes = new Map<string, number>()
    line.on('Network.requestWillBeSent', ({ request }) => {
      if (!request.url.startsWith('data:')) requests++
    })
    line.on('Network.dataReceived', ({ requestId, encodedDataLength }) =>
      bytes.set(requestId, (bytes.get(requestId) ?? 0) + encodedDataLength),
    )
    line.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      bytes.set(requestId, encodedDataLength),
    )
    await page.goto('/tickets', { waitUntil: 'commit' })
    const ms = await page.evaluate(
      () =>
        new Promise<number>(done => {
          const look = () => {
            if (!document.querySelector('[data-list] [data-ticket]')) return requestAnimationFrame(look)
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => done(performance.now())
            port2.postMessage(null)
          }
          look()
        }),
    )
    return { ms, requests, bytes: [...bytes.values()].reduce((all, one) => all + one, 0) }
  } finally {
    await context.close()
  }
}
