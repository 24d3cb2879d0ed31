import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, expect, type Page, request } from '@playwright/test'
import { stillness } from './stillness.ts'

/** Everybody's password in the demo data. */
export const PASSWORD = 'balcao-demo'

const TICKETS = '/tickets'

/** How somebody comes: `at` is the address that is opened, the tickets unless said. */
type Coming = BrowserContextOptions & { at?: string }

/** Who may come in a test, each with a browser profile of their own. */
export interface People {
  /** Helena, the company's admin. */
  admin(coming?: Coming): Promise<Page>
  attendant(coming?: Coming): Promise<Page>
  master(coming?: Coming): Promise<Page>
  /** The admin of another company, who must see nothing of the first. */
  stranger(coming?: Coming): Promise<Page>
  /** Somebody who has not logged in. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  loggedIn(email: string, coming?: Coming): Promise<Page>
  /** Closes every page. Throws an Error when one of them threw or refused a script. */
  leave(): Promise<void>
}

export function peopleOf(browser: Browser, url: string): People {
  const contexts: Awaited<ReturnType<Browser['newContext']>>[] = []
  const complaints: string[] = []

  async function visitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ baseURL: url, ...options })
    contexts.push(context)
    context.on('weberror', error => complaints.push(String(error.error())))
    context.on('console', message => {
      if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
    })
    return context.newPage()
  }

  /** By the call of the login form, which `session.e2e.ts` fills in as people do: what it answers stands in the browser. */
  async function loggedIn(email: string, { at = TICKETS, ...options }: Coming = {}) {
    const door = await request.newContext({ baseURL: url })
    const answer = await door.post('/auth/login', { data: { email, password: PASSWORD } })
    expect(answer.status(), email).toBe(200)
    const { token } = (await answer.json()) as { token: string }
    const { cookies } = await door.storageState()
    await door.dispose()
    const kept = { origin: url, localStorage: [{ name: 'token', value: token }] }
    const page = await visitor({ ...options, storageState: { cookies, origins: [kept] } })
    await page.goto(at)
    // the address is there before the screen has come
    if (at === TICKETS) await expect(page.locator('[data-screen=tickets] h1')).toBeAttached()
    return page
  }

  return {
    visitor,
    loggedIn,
    admin: coming => loggedIn('admin@balcao.test', coming),
    attendant: coming => loggedIn('atendente@balcao.test', coming),
    master: coming => loggedIn('master@balcao.test', coming),
    stranger: coming => loggedIn('admin@outra.test', coming),
    async leave() {
      await Promise.all(contexts.map(context => context.close()))
      expect(complaints, 'errors in the pages').toEqual([])
    },
  }
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
 * Nothing on the page stands in the way of a keyboard, a reader or weak eyes (WCAG 2.2 AA). What is found is looked at
 * once more when the page is still: a tooltip may have begun to fade in meanwhile.
 */
export async function expectAccessible(page: Page) {
  const found = (await barriers(page)) && (await barriers(page))
  expect(found).toBe('')
}

/** What stands in the way on a page at rest, a line each; empty when nothing does. */
async function barriers(page: Page) {
  await stillness(page)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  // a frame that runs nothing cannot be asked either; what it shows is a letter, not this page
  const { violations } = await new AxeBuilder({ page }).exclude('iframe[sandbox=""]').withTags(tags).analyze()
  return violations
    .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(node => node.html).join('\n  ')}`)
    .join('\n')
}
