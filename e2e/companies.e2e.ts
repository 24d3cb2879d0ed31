import type { Page } from '@playwright/test'
import { inTouch } from './conversation.ts'
import { expectAccessible, inTheDark } from './people.ts'
import { paper, picture, type Sample } from './samples.ts'
import { expect, test } from './world.ts'

const zone = (page: Page) => page.getByRole('combobox', { name: 'Fuso horário' })

async function choose(page: Page, typed: string, name: string) {
  // what the server answers to the choice before may close the list again
  await expect(async () => {
    await zone(page).fill('')
    await zone(page).fill(typed)
    await page.getByRole('option', { name }).click({ timeout: 5_000 })
  }).toPass()
}

test('the company’s time zone is chosen, a colleague’s screen follows, and a refusal changes nothing', async ({
  people,
  phone,
}) => {
  const { marina } = await inTouch(people, phone, 'Zoe')
  const shown = marina.getByRole('log').locator('article time').first()
  const before = await shown.textContent()
  const helena = await people.admin({ at: '/settings', viewport: { width: 320, height: 640 } })
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

test('the company’s name, slogan, logo, document number and address are saved, and a colleague’s top bar shows them at once (SETTINGS-004 … SETTINGS-012)', async ({
  people,
}) => {
  const marina = await people.attendant()
  const bar = marina.getByRole('banner')
  await expect(bar.getByText('Casa clara, vida boa')).toBeVisible()
  const helena = await people.admin({ at: '/settings' })
  const field = (label: string) => helena.getByLabel(label, { exact: true })
  await expect(field('Nome')).toHaveValue('Lume Móveis')
  const number = field('CPF ou CNPJ')
  for (const [typed, said] of [
    ['123456789', 'O cpf deve conter 11 dígitos ou o CNPJ deve conter 14 dígitos'],
    ['12345678901', 'CPF invalido'],
    ['1234567890123', 'O CNPJ deve conter 14 dígitos'],
    ['12345678901234', 'CNPJ invalido'],
  ] as const) {
    await number.fill(typed)
    await expect(helena.getByText(said, { exact: true })).toBeVisible()
  }
  await number.fill('12ABC34501DE35')
  await expect(number).toHaveValue('12.ABC.345/01DE-35')
  await number.fill('52998224725')
  await expect(number).toHaveValue('529.982.247-25')

  const place = { street: 'Avenida Paulista', district: 'Bela Vista', city: 'São Paulo' }
  let answer = { status: 502, json: { error: 'ERR_POSTAL_CODE_SEARCH' } as object }
  await helena.route('**/helper/cep/*', route => route.fulfill(answer))
  await field('CEP').fill('01310-100')
  await field('CEP').press('Tab')
  await expect(helena.getByText('A busca de CEP não respondeu')).toBeVisible()
  answer = { status: 200, json: { ...place, state: 'SP', country: 'Brasil' } }
  await field('CEP').focus()
  await field('CEP').press('Tab')
  await expect(field('Rua')).toHaveValue('Avenida Paulista')
  await expect(field('País')).toHaveValue('Brasil')

  const choose = async (sample: Sample) => {
    const [chooser] = await Promise.all([
      helena.waitForEvent('filechooser'),
      helena.getByRole('button', { name: 'Escolher imagem' }).click(),
    ])
    await chooser.setFiles(sample)
  }
  await choose(paper('logo.pdf'))
  await expect(helena.getByText('O logotipo deve ser uma imagem PNG ou JPG')).toBeVisible()
  await choose({ ...paper('logo.png'), mimeType: 'image/png' })
  await field('Slogan').fill('Luz para viver')
  await helena.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(helena.getByRole('alert')).toBeVisible()
  await expect(bar.getByText('Casa clara, vida boa')).toBeVisible()
  await choose(picture('logo.png', 60, 60))
  await expectAccessible(helena)
  await helena.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(helena.getByText('Salvo com sucesso')).toBeVisible()
  await expect(bar.getByText('Luz para viver')).toBeVisible()
  await expect(bar.locator('img')).toBeVisible()
  await helena.reload()
  await expect(number).toHaveValue('529.982.247-25')
  await expect(field('CEP')).toHaveValue('01310-100')

  await helena.getByRole('button', { name: 'Remover', exact: true }).click()
  await field('Slogan').fill('Casa clara, vida boa')
  await helena.getByRole('button', { name: 'Salvar', exact: true }).click()
  await expect(bar.locator('img')).toHaveCount(0)
  await expect(bar.getByText('Casa clara, vida boa')).toBeVisible()
})
