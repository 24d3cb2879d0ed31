import { readFile } from 'node:fs/promises'
import { connections } from '@balcao/contract/connections.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { plans } from '@balcao/contract/plans.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import type { Browser, Page, Route } from '@playwright/test'
import { themeNames } from '../apps/web/src/theme/themes.ts'
import { contrast, everything, lookedAt } from './axe.ts'
import { callsOf } from './call.ts'
import { choicesUnseen } from './forced.ts'
import { controlsOutside, overflowOn, widths } from './inside.ts'
import { leadTo, peopleOf } from './people.ts'
import { fileOf, type Look, looks, type Role } from './screens.ts'
import { stillness } from './stillness.ts'
import { controlsTooSmall } from './targets.ts'
import { ON_TOP, settledTree, treeOf } from './tree.ts'
import { expect, type Served, test } from './world.ts'

/** Every theme and every language on every screen, some twenty minutes: on request, not part of a run. */
const isWhole = process.env.EVERY_LOOK === '1'
/** By default both themes: one light, one dark. */
const themes = isWhole ? themeNames : (['defaultTheme', 'dracula'] as const)
/** Besides the first, with what it is called on the page. */
const others = { en: 'en', es: 'es' } as const
/** Where much of what is read aloud is not text that one sees: these are looked at in the other languages too. */
const translated = ['/tickets/:ticket', '/settings', '/dash', '/store']

const desk = { width: 1440, height: 900 }
/** 1280 px at 400 %, and where most of a screen folds. */
const few = [320, 900]
const narrow = { width: 320, height: 720 }

// two tests, so that two workers run them
test.describe.configure({ mode: 'parallel' })

test('on every screen of an admin nothing stands in anybody’s way: not of readers, of weak eyes in a light and a dark theme, nor of a phone [ROUTE-027 … ROUTE-028, ROUTE-034, OP-13, APIDOC-003, APIDOC-004, DASH-001 … DASH-010]', async ({
  browser,
  world,
}) => walk(browser, world, ['admin']))

test('on every screen of anybody else nothing stands in anybody’s way: not of readers, of weak eyes in a light and a dark theme, nor of a phone [ROUTE-027 … ROUTE-028, ROUTE-034, OP-13, APIDOC-003, APIDOC-004, DASH-001 … DASH-010]', async ({
  browser,
  world,
}) =>
  walk(
    browser,
    world,
    [...new Set(looks.map(({ as }) => as))].filter(role => role !== 'admin'),
  ))

async function walk(browser: Browser, { url }: Served, roles: Role[]) {
  test.setTimeout(isWhole ? 3_600_000 : 600_000)
  const people = peopleOf(browser, url)
  const places = await placesOf(url)
  for (const role of roles) {
    const page = await people[role]()
    if (role === 'visitor') await page.route(`**${plans.public.path}`, withoutPlansOfTests)
    const mine = looks.filter(({ as }) => as === role)
    await page.goto(mine[0]!.address.replace(/[:?].*/, ''))
    for (const look of mine) {
      await walkTo(page, look, places)
      await aloud(page, look, look === mine[0])
      await inOtherColours(page, look)
      if (isWhole || translated.includes(look.address)) await inOtherLanguages(page, look)
      await narrowed(page, look)
    }
  }
  await people.leave()
}

/** The offers of the store without those that other files of the run make meanwhile: `Plano 123456`. */
async function withoutPlansOfTests(route: Route) {
  const response = await route.fetch()
  const { plans: offered } = plans.public.reply.parse(await response.json())
  await route.fulfill({ response, json: { plans: offered.filter(({ name }) => !/^Plano \d+$/.test(name)) } })
}

async function walkTo(page: Page, { address, shows }: Look, places: Record<string, number>) {
  await leadTo(page, filledIn(address, places))
  await expect.soft(shows(page), address).toBeVisible()
  await stillness(page)
}

/** What a reader of the screen finds: the frame as it was agreed on (`npx playwright test screens -u` writes it anew). */
async function aloud(page: Page, look: Look, whole: boolean) {
  const file = fileOf(look)
  const agreed = await readFile(test.info().snapshotPath(file), 'utf8').catch(() => '')
  const { frame, faults } = await settledTree(page, whole, agreed)
  expect.soft(faults, look.address).toEqual([])
  expect.soft(frame).toMatchSnapshot(file)
  expect.soft(await lookedAt(page, everything, ON_TOP), look.address).toEqual([])
  expect.soft(await controlsTooSmall(page), look.address).toEqual([])
}

/** The other themes, and those of who has colours of his own. */
async function inOtherColours(page: Page, { address }: Look) {
  await page.emulateMedia({ forcedColors: 'active' })
  expect.soft(await choicesUnseen(page), `${address} in forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
  for (const theme of themes.slice(1)) {
    await choose(page, 'preferredTheme', theme)
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    await stillness(page)
    expect.soft(await lookedAt(page, contrast, ON_TOP), `${address}, ${theme}`).toEqual([])
  }
  await choose(page, 'preferredTheme', themes[0])
}

async function inOtherLanguages(page: Page, look: Look) {
  for (const [language, lang] of Object.entries(others)) {
    await choose(page, 'i18nextLng', language)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await stillness(page)
    const where = `${look.address} in ${language}`
    expect.soft((await treeOf(page, false)).faults, where).toEqual([])
    expect.soft(await lookedAt(page, everything, ON_TOP), where).toEqual([])
    if (isWhole) await inOtherColours(page, { ...look, address: where })
  }
  await choose(page, 'i18nextLng', 'ptBR')
}

async function narrowed(page: Page, { address }: Look) {
  await page.setViewportSize(narrow)
  expect.soft(await overflowOn(page), `${address} at 320 px`).toEqual([])
  expect.soft(await controlsTooSmall(page), `${address} at 320 px`).toEqual([])
  for (const width of address === '/tickets/:ticket' ? widths : few) {
    await page.setViewportSize({ ...narrow, width })
    expect.soft(await controlsOutside(page), `${address} at ${width} px`).toEqual([])
  }
  await page.setViewportSize(desk)
}

const filledIn = (address: string, places: Record<string, number>) =>
  address.replace(/:(\w+)/g, (_, name) => String(places[name]))

/** As if in another tab, which this one follows: open dialogs are kept. */
const choose = (page: Page, key: string, value: string) =>
  page.evaluate(
    ([name, chosen]) => {
      localStorage.setItem(name, chosen)
      dispatchEvent(new StorageEvent('storage', { key: name }))
    },
    [key, value] as const,
  )

async function placesOf(url: string): Promise<Record<string, number>> {
  const { call, user } = await callsOf(url, 'atendente@balcao.test')
  const [open, found, lines] = await Promise.all([
    call(tickets.list, { query: { status: 'open' } }),
    call(contacts.list),
    call(connections.list),
  ])
  return {
    ticket: open.tickets.find(({ contact }) => contact.name === 'Juliana Ferraz')!.id,
    contact: found.contacts[0]!.id,
    // other files of the run add numbers without conversations
    connection: lines.find(({ name }) => name === 'Loja Centro')!.id,
    user: user.id,
  }
}
