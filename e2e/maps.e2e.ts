import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { bubbles, inTouch } from './conversation.ts'
import { expectAccessible, type People, peopleOf } from './people.ts'
import { type Phone, simulatedPhone } from './phone.ts'
import { test as base, expect, startWorld, type World } from './world.ts'

const MASP = { address: 'Av. Paulista, 1578 - Bela Vista, São Paulo', lat: -23.5614, lng: -46.6559 }

/** The product with a maps key, beside a stand-in for Google's geocoder on this machine. */
const test = base.extend<{ people: People; phone: Phone }, { product: World }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names it must give from here
    async ({}, use) => {
      const google = createServer((request, response) => {
        const words = new URL(request.url!, 'http://google.test').searchParams.get('address')
        const { address, ...location } = MASP
        const results = words === 'MASP' ? [{ formatted_address: address, geometry: { location } }] : []
        response.end(JSON.stringify({ status: results.length > 0 ? 'OK' : 'ZERO_RESULTS', results }))
      }).listen(0, '127.0.0.1')
      await new Promise(listening => google.once('listening', listening))
      const { port } = google.address() as AddressInfo
      const MAPS_API_URL = `http://127.0.0.1:${port}`
      const world = await startWorld({ MAPS_KEY: 'a-key', MAPS_API_URL, OUTBOUND_ALLOW: '127.0.0.1' })
      await use(world)
      await world.stop()
      google.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  people: async ({ browser, product }, use) => {
    const people = peopleOf(browser, product.url)
    await use(people)
    await people.leave()
  },
  phone: async ({ product }, use) => use(await simulatedPhone(product.url)),
})

/** Google's embedded map is far away: a page of ours stands where the frame would load it. */
async function withMaps(page: Page) {
  await page.route('https://www.google.com/maps/embed/**', (route, request) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<html lang="en"><title>Map</title><main>map of ${new URL(request.url()).searchParams.get('q')}</main></html>`,
    }),
  )
  return page
}

const mapOf = (page: Page, name: string) => page.getByTitle(`Mapa de ${name}`)
const shown = async (page: Page, name: string) => {
  await expect(
    page.frameLocator(`iframe[title="Mapa de ${name}"]`).getByText(`map of ${MASP.lat},${MASP.lng}`),
  ).toBeVisible()
  const address = new URL((await mapOf(page, name).getAttribute('src'))!)
  return [address.origin + address.pathname, Object.fromEntries(address.searchParams)]
}
const embedded = [
  'https://www.google.com/maps/embed/v1/place',
  { key: 'a-key', q: `${MASP.lat},${MASP.lng}`, zoom: '15' },
]

test('with a maps key an address is searched, and the place is shown on a map wherever it stands', async ({
  people,
  phone,
}) => {
  const helena = await withMaps(await people.admin())
  await helena.goto('/locations/new')
  const dialog = helena.getByRole('dialog')
  // without a position the map shows the centre of São Paulo (OP-53)
  const before = dialog.locator('iframe')
  expect(new URL((await before.getAttribute('src'))!).searchParams.get('q')).toBe('-23.5505,-46.6333')
  await dialog.getByLabel('Endereço ou nome do lugar').fill('nenhures')
  await dialog.getByRole('button', { name: 'Buscar' }).click()
  await expect(dialog.getByText('Nenhum endereço foi encontrado')).toBeVisible()
  await dialog.getByLabel('Endereço ou nome do lugar').fill('MASP')
  await dialog.getByLabel('Endereço ou nome do lugar').press('Enter')
  await expectAccessible(helena)
  await dialog.getByRole('button', { name: MASP.address }).click()
  await expect(dialog.getByLabel('Posição: lat, lng')).toHaveValue(`${MASP.lat}, ${MASP.lng}`)
  await expect(dialog.getByLabel('Nome', { exact: true })).toHaveValue('Av. Paulista, 1578')
  await dialog.getByLabel('Nome', { exact: true }).fill('MASP')
  expect(await shown(helena, 'MASP')).toEqual(embedded)
  await dialog.getByRole('button', { name: 'Salvar' }).click()
  await expect(dialog).toBeHidden()
  expect(await shown(helena, 'MASP')).toEqual(embedded)
  await expectAccessible(helena)
  // the same places, only to be looked at
  await helena.goto('/maps')
  expect(await shown(helena, 'MASP')).toEqual(embedded)
  await expect(helena.getByRole('list', { name: 'Mapa' }).getByRole('button')).toHaveCount(0)
  await expectAccessible(helena)

  const { marina, number } = await inTouch(people, phone)
  await withMaps(marina)
  await phone.send(number, { location: { latitude: MASP.lat, longitude: MASP.lng, name: 'Museu' } })
  await expect(bubbles(marina).filter({ hasText: 'Museu' })).toBeVisible()
  expect(await shown(marina, 'Museu')).toEqual(embedded)
  await marina.getByRole('button', { name: 'Enviar localização' }).click()
  expect(await shown(marina, 'MASP')).toEqual(embedded)
  await expectAccessible(marina)
})
