import { payments } from '@balcao/contract/payments.ts'
import type { Locator, Page } from '@playwright/test'
import { inTheDark } from './people.ts'
import { expect, test } from './world.ts'

/** A4 without its margins, at 96 dots an inch. */
const PAPER = { width: 718, height: 1040 }
const [BLACK, WHITE] = ['rgb(0, 0, 0)', 'rgb(255, 255, 255)'] as const

test('a report of the queues that are chosen: on paper it stands alone, its tables with columns, its charts, dark on white, nothing cut off (REPORT-002, REPORT-004) [REPORT-001 … REPORT-009]', async ({
  people,
}) => {
  const admin = await people.loggedIn('admin@balcao.test')
  await inTheDark(admin)
  for (const report of ['Indicadores', 'Relatório de atendimentos']) {
    await admin.goto('/reports')
    await admin.getByRole('button', { name: report }).click()
    const asked = admin.getByRole('dialog', { name: report })
    await chooseFirstDay(asked, 'Data inicial')
    await choose(asked, 'Filas', ['Suporte', 'Vendas'])
    // what one may choose covers no button
    await expect(admin.getByRole('listbox', { name: 'Filas' })).toBeVisible()
    await asked.getByRole('button', { name: 'Gerar' }).click()
    await expect(admin.getByRole('table').first()).toBeVisible()
    if (report === 'Indicadores')
      await expect(admin.getByRole('img', { name: 'Por hora do dia' })).toBeVisible()
    for (const closed of await admin.getByText('Ver como tabela').all()) await closed.click()
    await admin.emulateMedia({ media: 'print' })
    await admin.setViewportSize(PAPER)

    const title = admin.getByRole('heading', { level: 1, name: report })
    await expect(title).toHaveCSS('color', BLACK)
    for (const ground of [title.locator('..'), admin.locator('body')])
      await expect(ground).toHaveCSS('background-color', WHITE)
    for (const gone of ['navigation', 'dialog', 'alert'] as const)
      await expect(admin.getByRole(gone)).toHaveCount(0)
    // headings that sort stay, as headings
    await expect(admin.locator('button:not([data-sort])').filter({ visible: true })).toHaveCount(0)
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
      for (const kind of ['figure', 'img'] as const)
        for (const chart of await admin.getByRole(kind).all()) await expect(chart).toBeVisible()
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

test('the statement of a company has its columns on paper, and long descriptions are not cut off', async ({
  people,
}) => {
  const admin = await people.loggedIn('admin@balcao.test')
  const text = 'Estorno combinado por telefone com a gerente da loja do centro. '.repeat(4).trim()
  await admin.route(`**${payments.statement.path.replace(':companyId', '*')}?*`, async route => {
    const answer = await route.fetch()
    const page = payments.statement.reply.parse(await answer.json())
    page.lines[0]!.kind = 'refund'
    page.lines[0]!.text = text
    await route.fulfill({ response: answer, json: page })
  })
  await admin.goto('/statement/2')
  const table = admin.getByRole('table', { name: 'Extrato' })
  await expect(table.getByText(text).first()).toBeVisible()
  await admin.emulateMedia({ media: 'print' })
  await admin.setViewportSize(PAPER)
  await expect(admin.getByRole('button', { name: 'Imprimir ou salvar em PDF' })).toBeHidden()
  await expect(table.locator('td').first()).toHaveCSS('display', 'table-cell')
  await expect.poll(() => cutOff(admin)).toEqual([])
  // a request under way would fail the next test of this worker
  await admin.unrouteAll({ behavior: 'wait' })
})

const TABLES = [
  ...['Status geral', 'Por usuário', 'Por fila', 'Por conexão', 'Por etiqueta'],
  ...['Por dia', 'Por hora do dia', 'Por dia da semana'],
]

/** Elements beyond the edge of the page, or clipped by a container. */
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

/** The first day of the month so many before the one shown. */
async function chooseFirstDay(within: Page | Locator, field: string, monthsBack = 1) {
  const page = 'page' in within ? within.page() : within
  // behind it is the button that empties it, named after it
  await within.getByRole('button', { name: field }).first().click()
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
