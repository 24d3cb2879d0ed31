import { Branding, companies } from '@balcao/contract/companies.ts'
import { Location, locations } from '@balcao/contract/locations.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { helena } from '../../../testing/people.ts'
import { keeping } from '../../../testing/rows.ts'
import { sample } from '../../../testing/samples.ts'
import type { Server } from '../../../testing/server.ts'

const answering = (rows: Location[]) =>
  keeping(locations, { as: 'locations', by: 'locationId', shape: Location, rows })
const masp = {
  address: 'Av. Paulista, 1578 - Bela Vista, São Paulo',
  latitude: -23.5614,
  longitude: -46.6559,
}
const withMaps = (rows: Location[]) => (server: Server) =>
  answering(rows)(server)
    .on(
      companies.branding,
      sample(Branding, { platformName: 'Balcão', timeZone: 'America/Sao_Paulo', mapsKey: 'a-key' }),
    )
    .on(locations.search, ({ query }) => ({ addresses: query.searchParam === 'MASP' ? [masp] : [] }))

test('a place is saved by its position or a link of a map, changed and deleted [ROUTE-049, MSG-024, MSG-035, MSG-036, LOC-002, LOC-003, LOC-005, LOC-008, LOC-009, LOC-010, LOC-013, LOC-014, OP-53, OP-65]', async () => {
  const page = enter('/locations', helena, { answers: answering([]) })
  await page.press('Adicionar localização')
  expect(location.pathname).toBe('/locations/new')
  const dialog = page.dialog()
  await dialog.fill('Nome', 'Loja Pituba')
  await dialog.fill('Posição: lat, lng', 'longe')
  await dialog.press('Salvar')
  await dialog.sees('Escreva a latitude e a longitude', 'A busca por endereço precisa da MAPS_KEY')
  await dialog.fill(
    'Posição: lat, lng',
    'https://www.google.com/maps/place/Loja/@-13.01,-38.5,13z/data=!8m2!3d-12.9969!4d-38.4529',
  )
  await dialog.press('Nome')
  expect(await dialog.field('Posição: lat, lng')).toHaveValue('-12.9969, -38.4529')
  await dialog.press('Salvar')
  await page.sees('Localização criada com sucesso', 'Loja Pituba', '-12.99690')
  expect(location.pathname).toBe('/locations')
  await page.press('Editar Loja Pituba')
  await page.dialog().fill('Nome', 'Loja da praia')
  await page.dialog().press('Salvar')
  await page.press('Excluir Loja da praia')
  await page.dialog().press('Excluir')
  await page.sees('Localização excluída com sucesso')
  await page.lacks('Loja da praia')
})

test('with a maps key an address is searched, and the place is shown on a map wherever it stands [ROUTE-048, MSG-007, MSG-035, CONST-009, LOC-002, LOC-003, LOC-007, OP-50, OP-53]', async () => {
  const rows: Location[] = []
  const page = enter('/locations/new', helena, { answers: withMaps(rows) })
  const dialog = page.dialog()
  const shown = () => new URL(document.querySelector('iframe')!.getAttribute('src')!)
  // without a position the map shows the centre of São Paulo (OP-53)
  await expect
    .poll(() => document.querySelector('iframe') && shown().searchParams.get('q'))
    .toBe('-23.5505,-46.6333')
  await dialog.fill('Endereço ou nome do lugar', 'nenhures')
  await dialog.press('Buscar')
  await dialog.sees('Nenhum endereço foi encontrado')
  await dialog.fill('Endereço ou nome do lugar', 'MASP')
  await dialog.press('Buscar')
  await dialog.press(masp.address)
  expect(await dialog.field('Posição: lat, lng')).toHaveValue('-23.5614, -46.6559')
  expect(await dialog.field(/^Nome$/)).toHaveValue('Av. Paulista, 1578')
  await dialog.fill(/^Nome$/, 'MASP')
  await dialog.press('Salvar')
  await page.closed()
  const embedded = 'https://www.google.com/maps/embed/v1/place'
  for (const address of ['/locations', '/maps']) {
    const again = address === '/maps' ? enter(address, helena, { answers: withMaps(rows) }) : page
    await again.sees('MASP')
    expect(shown().origin + shown().pathname).toBe(embedded)
    expect(Object.fromEntries(shown().searchParams)).toEqual({
      key: 'a-key',
      q: '-23.5614,-46.6559',
      zoom: '15',
    })
    expect(document.querySelector('iframe')!.title).toBe('Mapa de MASP')
  }
})
