import type { Page } from '@playwright/test'
import { inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { expect, test } from './world.ts'

const zone = (page: Page) => page.getByRole('combobox', { name: 'Fuso horário' })

async function choose(page: Page, typed: string, name: string) {
  await zone(page).fill(typed)
  await page.getByRole('option', { name }).click()
}

test('the company’s time zone is chosen, a colleague’s screen follows, and a refusal changes nothing', async ({
  people,
  phone,
}) => {
  const { marina } = await inTouch(people, phone, 'Zoe')
  const shown = marina.getByRole('log').locator('article time').first()
  const before = await shown.textContent()
  const helena = await people.admin({ viewport: { width: 320, height: 640 } })
  await helena.goto('/settings')
  await zone(helena).fill('nenhures')
  await expect(helena.getByText('Nenhum fuso com este nome')).toBeVisible()
  await expectAccessible(helena)

  await choose(helena, 'Tok', 'Asia/Tokyo')
  await expect(helena.getByText('Fuso horário salvo')).toBeVisible()
  await expect(zone(helena)).toHaveValue('Asia/Tokyo')
  // twelve hours ahead of São Paulo
  const twelveOn = before!.replace(/^\d+/, hour => String((Number(hour) + 12) % 24).padStart(2, '0'))
  await expect(shown).toHaveText(twelveOn)
  await inTheDark(helena)
  await helena.reload()
  await expect(zone(helena)).toHaveValue('Asia/Tokyo')

  await helena.route('**/companyByCompany/*', route =>
    route.fulfill({ status: 400, json: { error: 'ERR_BAD_REQUEST', message: 'ERR_NO_COMPANY_FOUND' } }),
  )
  await choose(helena, 'Lisb', 'Europe/Lisbon')
  await expect(helena.getByRole('alert')).toBeVisible()
  await expect(helena.getByText('ERR_')).toHaveCount(0)
  await expect(zone(helena)).toHaveValue('Asia/Tokyo')
  await helena.unroute('**/companyByCompany/*')
  await choose(helena, 'São Pa', 'Padrão da instalação (America/Sao Paulo)')
  await expect(shown).toHaveText(before!)
  await expectAccessible(helena)
})
