import { reports } from '@balcao/contract/reports.ts'
import type { Locator, Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { inTheDark } from './people.ts'
import { expect, test } from './world.ts'

test('an admin chooses another beginning, and the panel says what was closed since and how that changed; an end before it is told and asks nothing (DASH-001)', async ({
  people,
  world,
}) => {
  const admin = await people.admin({ at: '/dash' })
  const said = admin.getByText('TMA: tempo médio')
  const before = await figure(admin, 'Finalizados').textContent()
  const [thisMonth, until] = [await shownIn(admin, 'Data inicial'), await shownIn(admin, 'Data final')]
  await expect(said).toContainText(`${thisMonth} – ${until}`)

  await chooseFirstDay(admin, 'Data inicial')
  const from = await shownIn(admin, 'Data inicial')
  expect(from).not.toBe(thisMonth)
  await expect(said).toContainText(thisMonth)
  await admin.getByRole('button', { name: 'Filtrar' }).click()
  await expect(said).toContainText(`${from} – ${until}`)
  const { call } = await callsOf(world.url)
  const query = { initialDate: momentOf(from), finalDate: `${momentOf(until)}:59` }
  const { figures, changes } = (await call(reports.dash, { query })).reportData
  expect(String(figures.closed)).not.toBe(before)
  await expect(figure(admin, 'Finalizados')).toHaveText(figures.closed.toLocaleString('pt-BR'))
  for (const [name, change] of [
    ['Finalizados', changes.closed],
    ['TMA', changes.tma],
    ['TME', changes.tme],
  ] as const)
    await expect(figure(admin, name, 'change')).toHaveText(
      change === null ? '—' : `${change > 0 ? '+' : ''}${change}%`,
    )

  await chooseFirstDay(admin, 'Data final', 2)
  await admin.getByRole('button', { name: 'Filtrar' }).click()
  await expect(admin.getByText('A data final vem antes da inicial.')).toBeVisible()
  await expect(said).toContainText(`${from} – ${until}`)
})

test('of the queues and users that are chosen both reports tell, and what one may choose covers no button (REPORT-002)', async ({
  people,
  world,
}) => {
  const admin = await people.admin()
  const { call, user } = await callsOf(world.url)
  const all = (await call(reports.attendances)).reportData
  expect(all.dataUsers.length).toBeGreaterThan(1)
  const [colleague] = all.dataUsers.filter(({ id }) => id > 0 && id !== user.id)
  const [first, second] = all.dataQueuesWitchPercent.filter(({ id }) => id > 0)
  for (const report of ['Indicadores', 'Relatório de atendimentos']) {
    await admin.goto('/reports')
    await admin.getByRole('button', { name: report }).click()
    const asked = admin.getByRole('dialog', { name: report })
    await chooseFirstDay(asked, 'Data inicial')
    await choose(asked, 'Filas', [first!.queue, second!.queue])
    await choose(asked, 'Usuários', [colleague!.name])
    await expect(admin.getByRole('listbox', { name: 'Usuários' })).toBeVisible()
    await asked.getByRole('button', { name: 'Gerar' }).click()
    await expect(asked).toHaveCount(0)
    if (report === 'Indicadores') {
      await expect(firstsOf(admin, 'Por usuário')).toHaveText([colleague!.name])
      expect((await firstsOf(admin, 'Por fila').allInnerTexts()).sort()).toEqual(
        [first!.queue, second!.queue].sort(),
      )
    } else {
      const rows = admin.getByRole('table', { name: report }).locator('tbody tr')
      const [queues, users] = [rows.locator('td:nth-child(3)'), rows.locator('td:nth-child(4)')]
      await expect(users.first()).toHaveText(colleague!.name)
      expect(new Set(await users.allInnerTexts())).toEqual(new Set([colleague!.name]))
      expect(new Set(await queues.allInnerTexts())).toEqual(new Set([first!.queue, second!.queue]))
    }
  }
})

/** A4 without its margins, at 96 dots an inch. */
const PAPER = { width: 718, height: 1040 }
const [BLACK, WHITE] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'] as const

test('on paper stands the report alone: its tables with columns, its charts, dark on white, nothing cut off (REPORT-004)', async ({
  people,
}) => {
  const admin = await people.admin()
  await inTheDark(admin)
  for (const report of ['Indicadores', 'Relatório de atendimentos']) {
    await admin.goto('/reports')
    await admin.getByRole('button', { name: report }).click()
    const asked = admin.getByRole('dialog', { name: report })
    await chooseFirstDay(asked, 'Data inicial')
    await asked.getByRole('button', { name: 'Gerar' }).click()
    await expect(admin.getByRole('table').first()).toBeVisible()
    if (report === 'Indicadores') await admin.getByText('Ver como tabela').click()
    await admin.emulateMedia({ media: 'print' })
    await admin.setViewportSize(PAPER)

    const title = admin.getByRole('heading', { level: 1, name: report })
    await expect(title).toHaveCSS('color', BLACK)
    for (const ground of [title.locator('..'), admin.locator('body')])
      await expect(ground).toHaveCSS('background-color', WHITE)
    for (const gone of ['navigation', 'button', 'dialog', 'alert'] as const)
      await expect(admin.getByRole(gone)).toHaveCount(0)
    await expect(admin.locator('header').getByText('Lume Móveis')).toBeHidden()
    await expect(admin.getByText('Lume Móveis', { exact: true }).filter({ visible: true })).toHaveCount(1)
    const tables = report === 'Indicadores' ? TABLES : [report]
    for (const name of tables) {
      const table = admin.getByRole('table', { name, exact: true })
      await expect(table.getByRole('columnheader').first()).toBeVisible()
      await expect(table.locator('td').first()).toHaveCSS('display', 'table-cell')
      await expect(table.locator('td').first()).toHaveCSS('color', BLACK)
    }
    if (report === 'Indicadores')
      for (const chart of await admin.getByRole('figure').all()) await expect(chart).toBeVisible()
    expect(await cutOff(admin)).toEqual([])
    const paper = await admin.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } })
    expect(paper.toString('latin1').match(/\/Type \/Page\b/g)!.length).toBeGreaterThan(1)
    await admin.setViewportSize({ width: 1280, height: 800 })
    await admin.emulateMedia({ media: 'screen' })
    // last: a browser without a printer never comes to the end of it
    const printing = admin.evaluate(
      () => new Promise(told => addEventListener('beforeprint', () => told(true), { once: true })),
    )
    await admin.getByRole('button', { name: 'Imprimir' }).click()
    expect(await printing).toBe(true)
  }
})

const TABLES = ['Status geral', 'Por usuário', 'Por fila', 'Por conexão', 'Por etiqueta', 'Por dia']

/** What stands beyond the edge of the page, or is hidden by something that does not show all it holds. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body, #root *')]
      .filter(part => !part.closest('svg') && part.checkVisibility())
      .filter(part => {
        const { left, right, width } = part.getBoundingClientRect()
        const clips = getComputedStyle(part).overflow !== 'visible'
        const isTooSmall =
          part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1
        return width > 1 && (left < -1 || right > innerWidth + 1 || (clips && isTooSmall))
      })
      .map(part => part.outerHTML.slice(0, 120)),
  )

const figure = (page: Page, name: string, which: 'value' | 'change' = 'value') =>
  page
    .getByRole('table', { name: 'Status geral' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name, exact: true }) })
    .getByRole('cell')
    .nth(which === 'value' ? 1 : 2)

const firstsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody td:first-child')

const shownIn = async (page: Page, field: string) =>
  (await page.getByRole('button', { name: field }).textContent()) ?? ''

/** DD/MM/YYYY HH:mm as a call asks for it. */
const momentOf = (shown: string) => shown.replace(/(\d+)\/(\d+)\/(\d+) (.*)/, '$3-$2-$1T$4')

/** The first day of the month that stands so many before the one shown. */
async function chooseFirstDay(within: Page | Locator, field: string, monthsBack = 1) {
  const page = 'page' in within ? within.page() : within
  await within.getByRole('button', { name: field }).click()
  for (let back = 0; back < monthsBack; back++)
    await page.getByRole('button', { name: 'Anterior', exact: true }).click()
  await page.getByRole('button', { name: /^1 / }).first().click()
  await page.getByRole('button', { name: 'Pronto' }).click()
}

async function choose(dialog: Locator, field: string, names: string[]) {
  await dialog.getByRole('combobox', { name: field }).click()
  const choices = dialog.page().getByRole('listbox', { name: field })
  for (const name of names) await choices.getByRole('option', { name, exact: true }).click()
}
