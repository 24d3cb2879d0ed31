import AxeBuilder from '@axe-core/playwright'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Page } from '@playwright/test'
import { themeNames } from '../apps/web/src/theme/themes.ts'
import { callsOf } from './call.ts'
import { leadTo } from './people.ts'
import { looks } from './screens.ts'
import { stillness } from './stillness.ts'
import { expect, test } from './world.ts'

/** Of two themes what is not said is which: one light, one dark; `THEMES=all` asks for the seven. */
const themes = process.env.THEMES === 'all' ? themeNames : (['defaultTheme', 'dracula'] as const)

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

const still = { reducedMotion: 'reduce' } as const
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

test('on every screen nothing stands in anybody’s way: not of readers, of weak eyes in a light and a dark theme, nor of a phone', async ({
  people,
  world,
}) => {
  test.setTimeout(themes.length * 300_000)
  const places = await placesOf(world.url)
  for (const role of new Set(looks.map(({ as }) => as))) {
    const page = await people[role](still)
    await page.goto(looks.find(({ as }) => as === role)!.address.replace(/[:?].*/, ''))
    for (const { address, shows } of looks.filter(({ as }) => as === role)) {
      await choose(page, themes[0])
      await leadTo(page, filledIn(address, places))
      await expect.soft(shows(page), address).toBeVisible()
      await stillness(page)
      expect.soft(await barriersOn(page), address).toEqual([])
      for (const theme of themes.slice(1)) {
        await choose(page, theme)
        expect.soft(await barriersOn(page, ['color-contrast']), `${address}, ${theme}`).toEqual([])
      }
      await page.setViewportSize(phone)
      expect.soft(await overflowOn(page), `${address} at 390 px`).toEqual([])
      await page.setViewportSize(desk)
    }
  }
})

test('every address leads to its screen in capitals too, with a slash behind it (ROUTE-005)', async ({
  people,
  world,
}) => {
  test.setTimeout(300_000)
  const places = await placesOf(world.url)
  for (const role of new Set(looks.map(({ as }) => as))) {
    const page = await people[role](still)
    for (const { address, shows } of looks.filter(({ as }) => as === role)) {
      const [path = '', query] = filledIn(address, places).split('?')
      await page.goto(`${inCapitals(path)}/${query ? `?${query}` : ''}`)
      await expect.soft(shows(page), address).toBeVisible()
    }
  }
})

/** Its first word, which is what the documents write in several ways. */
const inCapitals = (path: string) => path.replace(/^\/[^/]+/, word => word.toUpperCase())

const filledIn = (address: string, places: Record<string, number>) =>
  address.replace(/:(\w+)/g, (_, name) => String(places[name]))

/** As if in another tab, which this one follows: nothing of what stands open is lost. */
async function choose(page: Page, theme: string) {
  await page.evaluate(name => {
    localStorage.setItem('preferredTheme', name)
    dispatchEvent(new StorageEvent('storage', { key: 'preferredTheme' }))
  }, theme)
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
  await stillness(page)
}

async function placesOf(url: string): Promise<Record<string, number>> {
  const { call, user } = await callsOf(url, 'atendente@balcao.test')
  const [open, found, lines] = await Promise.all([
    call(tickets.list, { query: { status: 'open' } }),
    call(contacts.list),
    call(connections.list),
  ])
  return {
    ticket: open.tickets[0]!.id,
    contact: found.contacts[0]!.id,
    // other files of the run add numbers with which nobody spoke
    connection: lines.find(({ name }) => name === 'Loja Centro')!.id,
    user: user.id,
  }
}

/** What axe calls serious or critical: by these rules of its own, or by all of WCAG 2.2 AA. */
async function barriersOn(page: Page, rules?: string[]): Promise<string[]> {
  // there are no frames: its other way opens a page beside for every look
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(WCAG)).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
}

/** Where the screen, or a part of it, is wider than it stands; what scrolls sideways on purpose says so by its role. */
const overflowOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const wideOnes = () =>
      [document.documentElement, ...document.body.querySelectorAll('*')].filter(
        box =>
          box.scrollWidth > box.clientWidth + 1 &&
          (box === document.documentElement || /auto|scroll/.test(getComputedStyle(box).overflowX)) &&
          !box.matches('[role=tablist], [role=region][tabindex], pre, textarea'),
      )
    // the screen follows its new size some frames later, on a busy machine many
    const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    let wide = wideOnes()
    for (let tries = 0; tries === 0 || (wide.length > 0 && tries < 60); tries++) {
      await drawn()
      wide = wideOnes()
    }
    return wide.map(
      box => `${box.scrollWidth} wide: ${box.outerHTML.slice(0, box.outerHTML.indexOf('>') + 1)}`,
    )
  })
