import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ASAAS_EVENTS } from './asaas.catalogue.ts'
import { eventRow } from './catalogue.ts'
import { MERCADOPAGO_STATUSES, MERCADOPAGO_TOPICS } from './mercadopago.catalogue.ts'

const page = readFileSync(new URL('../../../../docs/payment-events.md', import.meta.url), 'utf8')

test('docs/payment-events.md says what each event of a provider does here', () => {
  const tables = page.split(/^## /m).slice(1)
  const rows = tables.map(table => table.split('\n').filter(line => line.startsWith('| `')))
  const known = [ASAAS_EVENTS, MERCADOPAGO_TOPICS, MERCADOPAGO_STATUSES]
  expect(rows).toEqual(known.map(table => Object.entries(table).map(eventRow)))
})
