import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'

/** Everybody's password in the demo data. */
export const PASSWORD = 'balcao-demo'

/** Who may come in a test, each with a browser profile of their own. */
export interface People {
  /** Helena, the company's admin. */
  admin(options?: BrowserContextOptions): Promise<Page>
  attendant(options?: BrowserContextOptions): Promise<Page>
  master(options?: BrowserContextOptions): Promise<Page>
  /** The admin of another company, who must see nothing of the first. */
  stranger(options?: BrowserContextOptions): Promise<Page>
  /** Somebody who has not logged in. */
  visitor(options?: BrowserContextOptions): Promise<Page>
  loggedIn(email: string, options?: BrowserContextOptions): Promise<Page>
  /** Closes every page. Throws an Error when one of them threw or refused a script. */
  leave(): Promise<void>
}

export function peopleOf(browser: Browser, url: string): People {
  const contexts: Awaited<ReturnType<Browser['newContext']>>[] = []
  const complaints: string[] = []

  async function visitor(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ baseURL: url, ...options })
    contexts.push(context)
    const page = await context.newPage()
    page.on('pageerror', error => complaints.push(String(error)))
    page.on('console', message => {
      if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
    })
    return page
  }

  async function loggedIn(email: string, options?: BrowserContextOptions) {
    const page = await visitor(options)
    await page.goto('/login')
    await page.locator('input[type=email]').fill(email)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.locator('button[type=submit]').click()
    await expect(page).toHaveURL(/\/tickets/)
    // the address changes before the screen has come
    await expect(page.locator('main h1')).toBeAttached()
    return page
  }

  return {
    visitor,
    loggedIn,
    admin: options => loggedIn('admin@balcao.test', options),
    attendant: options => loggedIn('atendente@balcao.test', options),
    master: options => loggedIn('master@balcao.test', options),
    stranger: options => loggedIn('admin@outra.test', options),
    async leave() {
      await Promise.all(contexts.map(context => context.close()))
      expect(complaints, 'errors in the pages').toEqual([])
    },
  }
}

/** Nothing on the page stands in the way of a keyboard, a reader or weak eyes (WCAG 2.2 AA). */
export async function expectAccessible(page: Page) {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(node => node.html).join('\n  ')}`,
  )
  expect(found.join('\n')).toBe('')
}
