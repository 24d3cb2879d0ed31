import type { Phone } from '@balcao/whatsapp-server/phone.ts'
import { startWhatsAppServer, type WhatsAppServer } from '@balcao/whatsapp-server/server.ts'
import { trustFor } from '@balcao/whatsapp-server/trust.ts'
import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { type People, peopleOf } from './people.ts'
import { reportFailure, startTestApp, type World } from './world.ts'

export { expect } from '@playwright/test'

/** The product beside a local WhatsApp, over the real protocol: nothing of the product is stubbed. */
export const test = base.extend<{ people: People }, { whatsapp: WhatsAppServer; product: World }>({
  whatsapp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const server = await startWhatsAppServer({})
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ whatsapp }, use) => {
      const { args, env } = trustFor(whatsapp)
      const world = await startTestApp({
        ...env,
        NODE_OPTIONS: args.join(' '),
        WHATSAPP_WEB_URL: whatsapp.url,
      })
      await use(world)
      await world.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  people: async ({ browser, product }, use, info) => {
    const people = peopleOf(browser, product.url)
    await use(people)
    reportFailure(product, info)
    await people.leave()
  },
})

export const rowOf = (page: Page, name: string) => page.locator(`[data-connection="${name}"]`)

/** Adds a connection by QR code, whose code is then on the screen; `fill` fills in further fields of the dialog. */
export async function addConnection(
  helena: Page,
  name: string,
  fill: (dialog: Locator) => Promise<void> = async () => {},
) {
  await helena.goto('/connections')
  await helena.getByRole('button', { name: 'Adicionar conexão' }).click()
  const dialog = helena.getByRole('dialog')
  await dialog.getByLabel('Nome').fill(name)
  await dialog.getByLabel('Tipo de conexão').selectOption('baileys')
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(helena.getByRole('dialog', { name: `Ler o QR Code: ${name}` })).toBeVisible()
}

/** The QR code on the admin's screen, as soon as there is one. */
export async function codeOf(helena: Page): Promise<string> {
  const code = helena.locator('[data-qr]')
  await expect(code).toBeVisible()
  return (await code.getAttribute('data-qr'))!
}

/** A new connection that this phone has scanned. */
export async function connect(helena: Page, name: string, owner: Phone) {
  await addConnection(helena, name)
  await owner.scan(await codeOf(helena))
  await expect(rowOf(helena, name)).toContainText('Conectada')
}

/** The waiting ticket with this text is accepted, in a queue. */
export async function accept(marina: Page, name: string, words: string) {
  await marina.getByRole('tab', { name: /Aguardando/ }).click()
  const row = marina.locator('[data-ticket]').filter({ hasText: words })
  await expect(row).toBeVisible()
  await row.click()
  const pane = marina.getByRole('region', { name: `Conversa com ${name}` })
  await pane.getByRole('button', { name: 'Aceitar' }).first().click()
  await marina.getByRole('dialog').getByLabel('Fila').selectOption({ label: 'Suporte' })
  await marina.getByRole('dialog').getByRole('button', { name: 'Iniciar' }).click()
  await expect(marina.getByLabel('Escreva uma mensagem')).toBeVisible()
}
