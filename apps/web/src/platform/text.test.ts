import { errorStatus } from '@balcao/contract/errors.ts'
import dayjs from 'dayjs'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
})
vi.stubGlobal('document', { documentElement: {} })

let text: typeof import('./text.ts')
let errors: typeof import('./errors.text.ts')
let ApiError: typeof import('./call.ts').ApiError
beforeAll(async () => {
  text = await import('./text.ts')
  errors = await import('./errors.text.ts')
  ApiError = (await import('./call.ts')).ApiError
})
beforeEach(() => text.speak('ptBR'))

test('Portuguese is spoken first; another language is spoken at once and remembered', async () => {
  const t = text.texts({ hello: ['Olá, {name}', 'Hello, {name}', 'Hola, {name}'] })
  expect(t.read('hello', { name: 'Ana' })).toBe('Olá, Ana')
  await text.speak('es')
  expect(t.read('hello', { name: 'Ana' })).toBe('Hola, Ana')
  expect([kept.get('i18nextLng'), document.documentElement.lang]).toEqual(['es', 'es'])
})

test('Dates speak the language that is stored; ptBR is the Portuguese of Brazil (GEN-015)', async () => {
  const day = () => dayjs('2026-03-02').format('dddd, D [|] MMMM')
  await text.speak('en')
  expect(day()).toBe('Monday, 2 | March')
  await text.speak('ptBR')
  expect([day(), kept.get('i18nextLng'), document.documentElement.lang]).toEqual([
    'segunda-feira, 2 | março',
    'ptBR',
    'pt-BR',
  ])
})

test('A text follows its count', () => {
  const t = text.texts({
    updates_one: ['{count} atualização', '{count} update', '{count} actualización'],
    updates: ['{count} atualizações', '{count} updates', '{count} actualizaciones'],
  })
  expect([1, 14].map(count => t.read('updates', { count }))).toEqual(['1 atualização', '14 atualizações'])
})

test('What a user typed stays as it is', () => {
  const t = text.texts({ said: ['{name}', '{name}', '{name}'] })
  expect(t.read('said', { name: '<b>{count} $t(said)</b>' })).toBe('<b>{count} $t(said)</b>')
})

test('Every code has its words in every language; what is unknown is said raw, or by one sentence', async () => {
  for (const { value } of text.languages) {
    await text.speak(value)
    for (const code of Object.keys(errorStatus)) {
      const said = errors.errorText(new ApiError(400, { error: code as never }))
      expect(said).not.toMatch(/^(ERR_|An error)/)
    }
  }
  expect(errors.errorText(new ApiError(418, { message: 'I am a teapot' }))).toBe('I am a teapot')
  expect(errors.errorText(new ApiError(500, {}))).toBe('An error occurred!')
})

test('A code that comes only as the message is said in words; one that nobody knows is not shown', () => {
  const said = (body: object) => errors.errorText(new ApiError(400, body))
  const full = said({ error: 'ERR_SESSION_EXPIRED' })
  expect(said({ message: 'ERR_SESSION_EXPIRED' })).toBe(full)
  expect(said({ error: 'ERR_BAD_REQUEST', message: 'ERR_SESSION_EXPIRED' })).toBe(full)
  expect(said({ error: 'ERR_BAD_REQUEST', message: 'Too Long!' })).toBe('Too Long!')
  expect(said({ message: 'ERR_OF_TOMORROW' })).toBe('An error occurred!')
  expect(errors.reasonText('ERR_OF_TOMORROW')).toBe(errors.reasonText('ERR_SENDING_WAPP_MSG'))
})
