import { expect, test } from 'vitest'
import { mentionedOf, replaceMentions, underNames } from './mentions.rules.ts'

const named = (...names: string[]) => names.map((name, at) => ({ name, value: `${at}` }))

test.each([
  ['Oi @Ana e @Anabela', ['Ana', 'Anabela'], 'Oi #0 e #1'],
  ['Oi @Anabela', ['Ana', 'Anabela'], 'Oi #1'],
  ['Oi @Anabela', ['Ana'], 'Oi @Anabela'],
  ['@Ana, @Ana Lima!', ['Ana', 'Ana Lima'], '#0, #1!'],
  ['@Zé (loja) e @+5511', ['Zé (loja)', '+5511'], '#0 e #1'],
  ['ninguém', [], 'ninguém'],
])('in %j of %j the mentioned are replaced: %j', (text, names, replaced) => {
  expect(replaceMentions(text, named(...names), ({ value }) => `#${value}`)).toBe(replaced)
})

test('only who is meant is mentioned, and of two with one name the one whose digits are written', () => {
  const members = underNames([
    { id: '700001111', name: 'Ana', number: '5511900002222' },
    { id: '700003333', name: 'Ana', number: '' },
    { id: '700004444', name: 'Anabela', number: '' },
    { id: '700005555', name: '', number: '5511900006666' },
    { id: '700007777', name: '', number: '' },
  ])
  expect(members.map(({ name }) => name)).toEqual(['Ana 2222', 'Ana 3333', 'Anabela', '+5511900006666'])
  expect(mentionedOf('@Ana 3333 e @Anabela', members).map(({ id }) => id)).toEqual(['700003333', '700004444'])
})
