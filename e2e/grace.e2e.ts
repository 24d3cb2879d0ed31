import { companies } from '@balcao/contract/companies.ts'
import { daysFrom } from '@balcao/contract/invoices.rules.ts'
import { invoices } from '@balcao/contract/invoices.ts'
import { plans } from '@balcao/contract/plans.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import { bubbles, inTouch, say, sentBy } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

/** By a push: a screen that only asks would wait for much longer. */
const AT_ONCE = { timeout: 15_000 }
const banner = (page: Page) => page.locator('[data-account]')

/** The operator grants so many days. */
async function grant(operator: Page, days: number) {
  await operator.getByLabel('Dias de tolerância').fill(String(days))
  // the button is off while it is being saved, too
  const saved = operator.waitForResponse('**/settings/graceDays')
  await operator.getByRole('button', { name: 'Salvar tolerância' }).click()
  await saved
  await expect(operator.getByRole('button', { name: 'Salvar tolerância' })).toBeDisabled()
}

test('who owes is warned, then blocked before everybody’s eyes, hears customers all the same, and is back when it is paid', async ({
  people,
  phone,
  world,
  shop,
}) => {
  const { call } = await callsOf(world.url, 'master@balcao.test')
  const { user } = shop
  const [plan] = await call(plans.ofCompany, { params: { companyId: user.companyId } })
  const { marina, number } = await inTouch(people, phone, 'Graça')
  const helena = await people.admin({ viewport: { width: 390, height: 844 } })
  const operator = await people.master({ at: '/settings?section=platform' })
  try {
    await operator.getByLabel('Dias de tolerância').fill('61')
    await expect(operator.getByText('De 0 a 60 dias')).toBeVisible()
    await grant(operator, 3)

    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format()
    const due = daysFrom(today, -2)
    const { id } = await call(invoices.create, {
      params: { planId: plan!.id },
      body: {
        ...{ startInvoicePeriod: due, endInvoicePeriod: today, dueDate: due, valueBrl: '99,90' },
        ...{ billingType: 'PIX', recurrence: 1 },
      },
    })
    const [, month, day] = daysFrom(due, 3).split('-')
    await expect(banner(helena)).toContainText(
      `Fatura vencida: pague até ${day}/${month} para não interromper o atendimento.`,
      AT_ONCE,
    )
    await expectNothingCovered(helena)
    await expect(banner(marina)).toHaveCount(0)
    await banner(helena).getByRole('link', { name: 'Ver faturas' }).click()
    await expect(helena).toHaveURL('/clientCompanyManager')
    await expect(helena.locator(`[data-invoice="${id}"]`)).toBeVisible()

    await grant(operator, 1)
    await expect(banner(marina)).toContainText('Fale com quem cuida dos pagamentos', AT_ONCE)
    await expect(banner(marina).getByRole('link')).toHaveCount(0)
    await expect(banner(helena)).toContainText('Atendimento suspenso', AT_ONCE)
    await expectNothingCovered(helena)
    await inTheDark(helena)
    await helena.reload()
    await expect(banner(helena)).toContainText('Atendimento suspenso')
    await expectNothingCovered(helena)
    await expectAccessible(marina)

    await say(marina, 'Posso ajudar?')
    await expect(marina.getByRole('log')).toContainText('Atendimento suspenso por falta de pagamento')
    await phone.write(number, 'Alguém aí?')
    await expect(bubbles(marina).filter({ hasText: 'Alguém aí?' })).toBeVisible()
    expect(await sentBy(phone, number)).not.toContain('Posso ajudar?')

    await operator.goto('/companies')
    await expect(operator.getByRole('row').filter({ hasText: user.company.companyName })).toContainText(
      'Suspensa por falta de pagamento',
    )
    await operator.goto('/invoices')
    await operator.getByRole('combobox', { name: 'Empresa' }).fill(user.company.companyName)
    await operator.getByRole('option', { name: user.company.companyName }).click()
    await operator
      .locator(`[data-invoice="${id}"]`)
      .getByRole('button', { name: /^Registrar o pagamento/ })
      .click()
    const isBack = async (page: Page) => {
      // the notice goes away by itself: both screens are looked at from before the payment on
      await expect(page.getByText('Atendimento restabelecido: as mensagens voltaram a sair')).toBeVisible(
        AT_ONCE,
      )
      await expect(banner(page)).toHaveCount(0)
    }
    await Promise.all([
      ...[marina, helena].map(isBack),
      operator.getByRole('dialog').getByRole('button', { name: 'Salvar' }).click(),
    ])
    await marina.getByRole('button', { name: 'Reenviar' }).click()
    await expect.poll(() => sentBy(phone, number)).toContain('Posso ajudar?')
    await expect(banner(operator)).toHaveCount(0)
  } finally {
    await call(companies.changeSetting, { params: { settingKey: 'graceDays' }, body: { value: '0' } })
  }
})

/** The banner is between the top bar and the work, within the screen, with readable contrast. */
async function expectNothingCovered(page: Page) {
  const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!
  const [bar, told, work] = [await box('header'), await box('[data-account]'), await box('main')]
  expect(told.y).toBeGreaterThanOrEqual(bar.y + bar.height - 1)
  expect(work.y).toBeGreaterThanOrEqual(told.y + told.height - 1)
  expect(Math.round(work.y + work.height)).toBe(page.viewportSize()!.height)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()!.width,
  )
}
