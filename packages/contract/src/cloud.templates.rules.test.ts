import { expect, test } from 'vitest'
import { locationIn, missingIn, productsIn } from './cloud.templates.rules.ts'
import type { CloudPlaceholder, CloudTemplate } from './cloud.ts'

test('products are written as sections with titles, within what Meta takes', () => {
  expect(productsIn(' Doces: sonho, bolo ; Pães:pão;')).toEqual([
    { title: 'Doces', products: ['sonho', 'bolo'] },
    { title: 'Pães', products: ['pão'] },
  ])
  const ids = (many: number) => Array.from({ length: many }, (_, at) => `p${at}`).join(',')
  expect(productsIn(`Tudo: ${ids(30)}`)?.[0]?.products).toHaveLength(30)
  expect(productsIn(`Tudo: ${ids(31)}`)).toBeNull()
  expect(productsIn(Array.from({ length: 11 }, (_, at) => `s${at}: a`).join(';'))).toBeNull()
  for (const wrong of ['', ';', 'sonho, bolo', 'Doces:', ': sonho', `${'x'.repeat(25)}: sonho`])
    expect(productsIn(wrong)).toBeNull()
})

test('a file fills its place in the header and no other; products are filled only where Meta takes them', () => {
  const place = (kind: CloudPlaceholder['kind']) => ({ part: 'body' as const, name: kind, kind, example: '' })
  const shown = {
    header: '',
    body: '',
    footer: '',
    buttons: [],
    sendable: true,
    unfilled: '',
    reason: '',
    quality: 'GREEN',
  }
  const template: CloudTemplate = {
    ...{ name: 'a', language: 'pt_BR', status: 'APPROVED', category: 'MARKETING', ...shown },
    placeholders: [place('image'), place('text'), place('products')],
  }
  expect(missingIn(template, [])).toEqual([0, 1, 2])
  expect(missingIn(template, ['', 'Ana', 'Doces: a'], { hasFile: true })).toEqual([])
  expect(missingIn(template, ['https://a.test/a.png', ' ', 'a'])).toEqual([1, 2])
  expect(missingIn(template, ['x', 'x', '{{produtos}}'])).toEqual([])
})

test('a place is written as its coordinates, its name and its address', () => {
  expect(locationIn(' -12.9714,-38.5014 ; Loja  Centro; Rua Chile, 10; fundos')).toEqual({
    latitude: '-12.9714',
    longitude: '-38.5014',
    name: 'Loja Centro',
    address: 'Rua Chile, 10; fundos',
  })
  for (const wrong of [
    '',
    '-12,97; -38,5; Loja',
    '-12.9, -38.5; Loja',
    '91.0, 0.0; Loja; Rua',
    '1.0, 181.0; Loja; Rua',
  ])
    expect(locationIn(wrong)).toBeNull()
})
