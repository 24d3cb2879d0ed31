import { expect, test } from 'vitest'
import { filled, partsOf } from './placeholders.rules.ts'

const rest = { cliente: 'Renata', atendente: 'Marina', protocolo: '2611194402' }
const values = { ...rest, data: '19/11/2026', horas: '23:05' }

test('every placeholder of the documents has its value [MSG-042]', () => {
  expect(filled('{{cliente}}, {{ atendente }}, {{PROTOCOLO}}, {{data}} às {{horas}}', values)).toBe(
    'Renata, Marina, 2611194402, 19/11/2026 às 23:05',
  )
})

test('what is no placeholder stays as it was written, and is told apart', () => {
  expect(partsOf('Oi {{nome}}, {{constructor}} {x} {{ }} é {{cliente}}', values)).toEqual([
    { text: 'Oi ', kind: 'words' },
    { text: '{{nome}}', kind: 'unknown' },
    { text: ', ', kind: 'words' },
    { text: '{{constructor}}', kind: 'unknown' },
    { text: ' {x} {{ }} é ', kind: 'words' },
    { text: 'Renata', kind: 'value' },
  ])
})

test('a value that looks like a placeholder is not filled again', () => {
  expect(filled('{{cliente}}', { ...values, cliente: '{{protocolo}} $&' })).toBe('{{protocolo}} $&')
})
