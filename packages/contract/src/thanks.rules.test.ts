import { expect, test } from 'vitest'
import { isThanks } from './thanks.rules.ts'

const written = (body: string) => isThanks({ body, mediaType: null })

test.each([
  'Obrigado!',
  'OBRIGADA 🙏🙏',
  'obrigadaaaaa',
  'Muito obrigado pela atenção, bom dia!',
  'não, obrigada',
  'No, thanks',
  'Gracias por su ayuda, que tenga buen día',
  'Vlw',
  'ok',
  'Perfeito, até logo',
  'Thanks!!',
  'thank you so much for your help',
  '¡Muchas gracias!',
  'Gracias, igualmente',
  '👍',
  '❤️🙏🏽',
  'Obrigada, Marina!',
  'bom final de semana',
])('thanks need no answer: %s', body => {
  expect(written(body)).toBe(true)
})

test.each([
  'Oi',
  '',
  '2',
  'não',
  'bom dia',
  'Obrigado, mas ainda não chegou',
  'obrigado, quando chega?',
  'ok?',
  '¿listo',
  '❓',
  'Não entendi',
  'isso não está certo',
  'no está listo',
  'esto no vale',
  'Ok, ajuda',
  'ok help',
  'ok, tô aqui',
  'falou que sim',
  'certo, e a resposta',
  'Obrigada! Mais uma informação',
  'Gracias, y el precio de la otra silla',
  'obrigado '.repeat(15),
  `obrigado ${'muito '.repeat(14)}`,
])('a question, a number, a greeting, a denial, a need or any other word does: %s', body => {
  expect(written(body)).toBe(false)
})

test('a sticker alone is thanks; any other file is not, whatever stands below it', () => {
  expect(isThanks({ body: '', mediaType: 'sticker' })).toBe(true)
  expect(isThanks({ body: 'obrigado', mediaType: 'image' })).toBe(false)
  expect(isThanks({ body: '', mediaType: 'audio' })).toBe(false)
})
