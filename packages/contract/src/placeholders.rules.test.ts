import { expect, test } from 'vitest'
import { calledBy, filled, partsOf } from './placeholders.rules.ts'

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

test.each([
  ['Olá, {{cliente}}! Aqui é {{atendente}}.', 'Olá! Aqui é Marina.'],
  ['Oi {{cliente}}, tudo bem?', 'Oi, tudo bem?'],
  ['{{cliente}}, já consultei a entrega.', 'Já consultei a entrega.'],
  ['Só um momento, {{ cliente }}, já vejo.', 'Só um momento, já vejo.'],
  ['Bom dia!\n{{cliente}}, chegou.', 'Bom dia!\nChegou.'],
  ['Obrigada, {{cliente}}', 'Obrigada'],
  ['{{cliente}}', ''],
])('of somebody without a name %j is %j', (text, sent) => {
  const cliente = calledBy({ name: '+5511987654321', number: '5511987654321' })
  expect(filled(text, { ...values, cliente })).toBe(sent)
})
