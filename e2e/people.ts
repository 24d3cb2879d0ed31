import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
  request,
} from '@playwright/test'
import { lookedAt, standard } from './axe.ts'
import type { Shop } from './shop.ts'
import { stillness } from './stillness.ts'

/** The password of all users in the demo data, and in the companies of the tests. */
export const PASSWORD = 'balcao-demo'

const TICKETS = '/tickets'

/** How a page is opened: `at` is the path, default: the tickets. */
type Coming = BrowserContextOptions & { at?: string }

/** Who may come in a test. */
export interface People {
  /** Helena, the company's admin. */
  admin(coming?: Coming): Promise<Page>
  /** Marina. */
  attendant(coming?: Coming): Promise<Page>
  /** Caio. */
  colleague(coming?: Coming): Promise<Page>
  master(coming?: Coming): Promise<Page>
  /** The admin of another company, who must see nothing of the first. */
  stranger(coming?: Coming): Promise<Page>
  /** A visitor without a session. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  loggedIn(email: string, coming?: Coming): Promise<Page>
  /** Closes every page. Throws an Error when one of them threw or refused a script. */
  leave(): Promise<void>
}

/** The people of a worker, one test after the other. */
export interface Visitors {
  people(shop: Pick<Shop, 'admin' | 'attendant' | 'colleague'>): People
  close(): Promise<void>
}

const demo = { admin: 'admin@balcao.test', attendant: 'atendente@balcao.test', colleague: 'caio@balcao.test' }

/** Users of the demo data; their contexts are closed after the test. */
export function peopleOf(browser: Browser, url: string): People {
  const visitors = visitorsOf(browser, url)
  const people = visitors.people(demo)
  return {
    ...people,
    async leave() {
      await people.leave()
      await visitors.close()
    },
  }
}

/**
 * Who comes as a person usually does has one browser profile in all tests of a worker: what the browser knows of the app
 * it keeps, of what they did there only the session. Who comes in another way, on a phone or with a clock that is stopped,
 * has a profile of his own.
 */
export function visitorsOf(browser: Browser, url: string): Visitors {
  const kept = new Map<string, BrowserContext>()
  const drop = (context: BrowserContext) => {
    for (const [email, one] of kept) if (one === context) kept.delete(email)
    return context.close()
  }
  const busy = new Set<BrowserContext>()

  async function profile(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({
      ...{ baseURL: url, reducedMotion: 'reduce' },
      // what it answers no test sees; `push.e2e.ts` tries it
      serviceWorkers: 'block',
      ...options,
    })
    // tests leave more people waiting than a list draws: the newest is at the top
    await context.addInitScript(() => {
      try {
        localStorage.setItem('ticketOrder', JSON.stringify('newest'))
      } catch {
        // an empty page, and a frame of another origin, have none
      }
    })
    return context
  }

  async function usual(email: string) {
    const known = kept.get(email)
    if (known && !busy.has(known)) return known
    const context = await profile({ storageState: await sessionOf(url, email) })
    if (known) return context
    kept.set(email, context)
    // a fake clock cannot be removed: that profile is used by this test only
    const { clock } = context
    const install = clock.install.bind(clock)
    clock.install = (...how) => {
      kept.delete(email)
      return install(...how)
    }
    return context
  }

  return {
    people: shop =>
      peopleOfOne(url, shop, { profile, usual, busy, drop, isKept: one => [...kept.values()].includes(one) }),
    async close() {
      await Promise.all([...kept.values()].map(context => context.close()))
    },
  }
}

interface Profiles {
  profile(options?: BrowserContextOptions): Promise<BrowserContext>
  usual(email: string): Promise<BrowserContext>
  busy: Set<BrowserContext>
  isKept(context: BrowserContext): boolean
  /** Closes one that cannot serve the next test. */
  drop(context: BrowserContext): Promise<void>
}

function peopleOfOne(
  url: string,
  shop: Pick<Shop, 'admin' | 'attendant' | 'colleague'>,
  profiles: Profiles,
): People {
  const complaints: string[] = []
  const came = new Map<BrowserContext, () => void>()

  async function pageOf(context: BrowserContext) {
    const hear = {
      weberror: (error: { error(): unknown }) => void complaints.push(String(error.error())),
      console: (message: { text(): string }) => {
        if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
      },
    }
    context.on('weberror', hear.weberror)
    context.on('console', hear.console)
    profiles.busy.add(context)
    came.set(context, () => {
      context.off('weberror', hear.weberror)
      context.off('console', hear.console)
    })
    return context.newPage()
  }

  const visitor = async (options: BrowserContextOptions = {}) => pageOf(await profiles.profile(options))

  async function loggedIn(email: string, { at = TICKETS, ...options }: Coming = {}) {
    const isUsual = Object.keys(options).every(option => option === 'viewport' || option === 'permissions')
    const context = isUsual
      ? await profiles.usual(email)
      : await profiles.profile({ ...options, storageState: await sessionOf(url, email) })
    const page = await pageOf(context)
    if (options.permissions) await context.grantPermissions(options.permissions)
    if (options.viewport) await page.setViewportSize(options.viewport)
    await page.goto(at)
    // the address is there before the screen has come
    if (at === TICKETS) await expect(page.locator('[data-screen=tickets] h1')).toBeAttached()
    return page
  }

  return {
    visitor,
    loggedIn,
    admin: coming => loggedIn(shop.admin, coming),
    attendant: coming => loggedIn(shop.attendant, coming),
    colleague: coming => loggedIn(shop.colleague, coming),
    master: coming => loggedIn('master@balcao.test', coming),
    stranger: coming => loggedIn('admin@outra.test', coming),
    async leave() {
      for (const [context, stop] of came) {
        stop()
        profiles.busy.delete(context)
        const isUsual = profiles.isKept(context) && (await isTidied(context))
        if (!isUsual) await profiles.drop(context)
      }
      expect(complaints, 'errors in the pages').toEqual([])
    },
  }
}

/**
 * By the call of the login form, which `session.e2e.ts` fills in as people do: the response's cookie is in the
 * browser.
 */
async function sessionOf(url: string, email: string) {
  const door = await request.newContext({ baseURL: url })
  const answer = await door.post('/auth/login', { data: { email, password: PASSWORD } })
  expect(answer.status(), email).toBe(200)
  const { token, user } = (await answer.json()) as { token: string; user: { id: number } }
  const whose = String(user.id)
  const { cookies } = await door.storageState()
  await door.dispose()
  return {
    cookies,
    origins: [
      {
        origin: url,
        localStorage: [
          { name: 'token', value: token },
          { name: 'whose', value: whose },
        ],
      },
    ],
  }
}

/** Keeps only the user's session; false where another one, or none, is logged in now. */
async function isTidied(context: BrowserContext): Promise<boolean> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  const [page, ...others] = context.pages()
  for (const other of others) await other.close()
  if (!page) return false
  const isHis = await page.evaluate(forget)
  await page.close()
  return isHis
}

/** In the page. Whose session a profile began with is kept beside its token. */
async function forget() {
  const token = localStorage.getItem('token')
  const whose = localStorage.getItem('whose')
  localStorage.clear()
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name!)
  if (!token) return false
  const { userId } = JSON.parse(atob(token.split('.')[1]!))
  localStorage.setItem('token', token)
  localStorage.setItem('whose', String(userId))
  return whose === null || whose === String(userId)
}

/** As a link would: the page is not loaded again. */
export const leadTo = (page: Page, address: string) =>
  page.evaluate(path => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

/** What is opened from now on is shown in a dark theme. */
export const inTheDark = (page: Page) =>
  page.addInitScript(() => localStorage.setItem('preferredTheme', 'dracula'))

/**
 * The page passes the accessibility rules (WCAG 2.2 AA). Violations are checked again when the page is still: a
 * tooltip may have begun to fade in meanwhile.
 */
export async function expectAccessible(page: Page) {
  const found = (await barriers(page)) && (await barriers(page))
  expect(found).toBe('')
}

/** Violations on a page at rest, a line each; empty when there are none. */
async function barriers(page: Page) {
  await stillness(page)
  return (await lookedAt(page, standard)).join('\n')
}
