import { locations } from '@balcao/contract/locations.ts'
import { expect, test } from './world.ts'

const MAPS = 'https://www.google.com'

test('a place stands on a map in its frame, which the policy of the page allows', async ({
  people,
  shop,
}) => {
  await shop.call(locations.create, {
    body: { name: 'Depósito Norte', latitude: -12.97, longitude: -38.5 },
  })
  const marina = await people.attendant()
  // the map tiles come from another server
  await marina.route(`${MAPS}/**`, route =>
    route.fulfill({
      contentType: 'text/html',
      body: `<p>${new URL(route.request().url()).searchParams.get('q')}</p>`,
    }),
  )
  await marina.goto('/maps')
  await expect(marina.frameLocator('iframe').getByText('-12.97,-38.5')).toBeVisible()
})
