import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { installedBrowser } from '../bin/browser.ts'
import { emailOf, PASSWORD } from './dataset.ts'
import type { Product } from './product.ts'

export interface Opened {
  /** On a large window, logged in. */
  page: Page
  token: string
  /** Another browser with nothing in its cache, logged in as well. */
  open(options: BrowserContextOptions): Promise<BrowserContext>
}

/** Runs work in a real browser, as a user of the first company. */
export async function inBrowser<T>(
  product: Product,
  user: number,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const executablePath = process.env.CHROMIUM_PATH ?? installedBrowser()
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const login = async (options: BrowserContextOptions) => {
    const context = await browser.newContext({ baseURL: product.url, locale: 'pt-BR', ...options })
    const answer = await context.request.post('/auth/login', {
      data: { email: emailOf(1, user), password: PASSWORD },
    })
    const { token } = (await answer.json()) as { token: string }
    await context.addInitScript(kept => localStorage.setItem('token', kept), token)
    return { context, token }
  }
  try {
    const { context, token } = await login({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    return await work({ page, token, open: async options => (await login(options)).context })
  } finally {
    await browser.close()
  }
}

interface TraceEvent {
  name: string
  cat: string
  pid: number
  tid: number
  ts: number
  tdur?: number
  args?: { name?: string; data?: { type?: string } }
}

/** What the page's own thread did: milliseconds of the processor, so that a busy machine does not count. */
interface Task {
  worked: number
  /** Begins with a key or a click. */
  begins: 'keydown' | 'click' | null
  /** Was marked by the page as the end of what is measured. */
  isEnd: boolean
}

/** What the page calls the mark that it sets. */
export const END = 'bench-end'

/** The tasks of the page's own thread in their order. */
export async function tasksDuring(page: Page, during: () => Promise<unknown>): Promise<Task[]> {
  const browser = page.context().browser()!
  await browser.startTracing(page, {
    categories: ['toplevel', '__metadata', 'devtools.timeline', 'blink.user_timing'],
  })
  await during()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const own = traceEvents
    .filter(({ pid, tid }) => threads.has(`${pid} ${tid}`))
    .toSorted((one, other) => one.ts - other.ts)
  const tasks: Task[] = []
  for (const { cat, name, tdur, args } of own) {
    const task = tasks.at(-1)
    const type = args?.data?.type
    if (task && name === 'EventDispatch' && (type === 'keydown' || type === 'click')) task.begins = type
    else if (task && name === END) task.isEnd = true
    else if (tdur !== undefined && cat === 'toplevel')
      tasks.push({ worked: tdur / 1000, begins: null, isEnd: false })
  }
  if (tasks.length === 0) throw new Error('the browser traced no task of the page')
  return tasks
}

export async function longestTask(page: Page, during: () => Promise<unknown>): Promise<number> {
  const tasks = await tasksDuring(page, during)
  return tasks.reduce((most, { worked }) => Math.max(most, worked), 0)
}

/** Milliseconds of the processor from each key or click to the end that was marked, or to the next one. */
export function workOf(tasks: Task[]): number[] {
  const all: number[] = []
  let isOver = true
  for (const { begins, worked, isEnd } of tasks) {
    if (begins) {
      all.push(0)
      isOver = false
    }
    if (!isOver) all[all.length - 1]! += worked
    if (isEnd) isOver = true
  }
  return all
}
