import { chromium } from '@playwright/test'
import { peopleOf } from '../e2e/people.ts'
import { simulatedPhone } from '../e2e/phone.ts'
import { startTestApp } from '../e2e/world.ts'
import { installedBrowser } from './browser.ts'

/**
 * Makes the pictures of the README from the running product: `node bin/pictures.ts`, after `npm start` built the web
 * app.
 */
const executablePath = process.env.CHROMIUM_PATH ?? installedBrowser() ?? undefined
const world = await startTestApp()
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const phone = await simulatedPhone(world.url)
  const people = peopleOf(browser, world.url)
  const page = await people.attendant({ viewport: { width: 1440, height: 900 }, locale: 'pt-BR' })
  await phone.write(
    '5571991340872',
    'Oi! Meu sofá chegou hoje, mas veio *cinza* e eu pedi areia.',
    'Renata Vasconcelos',
  )
  await page.getByRole('tab', { name: /Aguardando/ }).click()
  await page.locator('[data-ticket]').filter({ hasText: 'Renata Vasconcelos' }).click()
  await page
    .getByRole('region', { name: /Renata/ })
    .getByRole('button', { name: 'Aceitar' })
    .first()
    .click()
  await page.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await page.getByRole('button', { name: 'Iniciar' }).click()
  await page
    .getByLabel('Escreva uma mensagem')
    .fill('Oi, Renata! Aqui é a Marina, da Lume. A troca é por nossa conta e a retirada é no mesmo dia.')
  await page.keyboard.press('Enter')
  await phone.receipt('5571991340872', 4)
  await phone.write('5571991340872', 'Que bom! Pode ser na sexta?')
  await page.getByRole('tab', { name: /Atendendo/ }).click()
  await page.locator('article', { hasText: 'Pode ser na sexta' }).waitFor()
  await page.getByRole('button', { name: 'Desfazer' }).waitFor({ state: 'hidden' })
  await page.screenshot({ path: 'docs/images/tickets.png' })
  await people.leave()
} finally {
  await browser.close()
  await world.stop()
}
