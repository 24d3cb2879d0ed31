import { ClientCompany, clients } from '@balcao/contract/clients.ts'
import { type CompanyExport, companyExports } from '@balcao/contract/companyExports.ts'
import { expect, test } from 'vitest'
import { enter } from '../../../testing/page.tsx'
import { operator } from '../../../testing/people.ts'
import { sample } from '../../../testing/samples.ts'

const begun: CompanyExport = {
  state: 'making',
  requestedAt: '2026-11-28T12:00:00.000Z',
  expiresAt: null,
  bytes: 0,
  link: null,
}
const link = 'https://balcao.test/companyExport/x'

test('the operator exports the data of a company, waits, and copies the link', async () => {
  let newest: CompanyExport | null = null
  const page = enter('/companiesManager/2', operator, {
    answers: server =>
      server
        .on(clients.show, sample(ClientCompany, { id: 2, name: 'Lume Móveis' }))
        .on(companyExports.show, () => ({ export: newest }))
        .on(companyExports.make, () => {
          newest = begun
          return { export: newest }
        }),
  })
  await page.press('Exportar dados')
  await page.sees(/está sendo preparado/)
  expect(await page.find('button', 'Exportar dados')).toBeDisabled()
  newest = { ...begun, state: 'ready', bytes: 3_000_000, link, expiresAt: '2026-12-05T12:00:00.000Z' }
  const field = await page.field(/^Link para baixar/)
  expect(field.value).toBe(link)
  expect(await page.find('button', 'Exportar de novo')).toBeEnabled()
  // the rest of the screen is tested elsewhere
  page.server.complaints.length = 0
})
