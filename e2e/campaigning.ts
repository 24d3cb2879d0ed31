import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import type { Page } from '@playwright/test'
import { addLine, type Shop } from './shop.ts'

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const rowWith = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
export const main = (page: Page) => page.getByRole('main')
export const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()

/** A separate number that campaigns may use: the company's only one is its default. */
export const secondConnection = (shop: Shop, name: string): Promise<number> => addLine(shop, name)

/** A campaign that waits to be started, made through the API. */
export async function campaignOf(shop: Shop, name: string, sendList: string[]) {
  const { call } = shop
  const line = await secondConnection(shop, `Linha ${name}`)
  const setup = await call(campaignSetups.create, {
    body: { name: `Ritmo ${name}`, whatsapps: [line], autoStart: false },
  })
  const { id } = await call(campaigns.create, {
    body: {
      name,
      campaignSetupId: setup.id,
      greeting: 'Oi {{nome|tudo bem}}!',
      messages: [{ greeting: 'Oi {{nome|tudo bem}}!', body: 'Chegaram novidades' }],
    },
  })
  await call(campaigns.addRecipients, { params: { campaignId: id }, body: { sendList } })
  return { id, setup, line }
}
