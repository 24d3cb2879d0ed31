import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { connections } from '@balcao/contract/connections.ts'
import type { Page } from '@playwright/test'
import { callsOf } from './call.ts'
import type { World } from './world.ts'

export const dialogOf = (page: Page) => page.getByRole('dialog')
export const rowWith = (page: Page, words: string) => page.getByRole('row').filter({ hasText: words })
export const main = (page: Page) => page.getByRole('main')
export const press = (page: Page, name: string) =>
  main(page).getByRole('button', { name, exact: true }).click()

/** A number of its own that campaigns may take: the demo company's only one is its default. */
export async function secondLine({ url }: Pick<World, 'url'>, name: string): Promise<number> {
  const { call } = await callsOf(url)
  const { id } = await call(connections.create, { body: { name, lib: 'simulator' } })
  await call(connections.start, { params: { whatsappId: id } })
  return id
}

/** A campaign that waits to be started, made through the API. */
export async function campaignOf({ url }: Pick<World, 'url'>, name: string, sendList: string[]) {
  const { call } = await callsOf(url)
  const line = await secondLine({ url }, `Linha ${name}`)
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
