import { expect, test } from 'vitest'
import { asPoll, tapped } from './bots.words.rules.ts'
import { MessageInput } from './messages.input.ts'
import { pollChoices, writtenPoll } from './polls.rules.ts'

const many = (count: number, length = 1) =>
  Array.from({ length: count }, (_, at) => `${at}`.padEnd(length, 'x'))
const one = (options: string[]) => pollChoices({ options, isMultiple: false }, 'Ver')

test.each([
  ['a question without words', { question: ' ', options: ['a', 'b'] }, 'poll.question'],
  ['a question of 256 characters', { question: 'x'.repeat(256), options: ['a', 'b'] }, 'poll.question'],
  ['one option', { question: 'Qual?', options: ['a'] }, 'poll.options'],
  ['thirteen options', { question: 'Qual?', options: many(13) }, 'poll.options'],
  ['an option of 101 characters', { question: 'Qual?', options: ['a', 'x'.repeat(101)] }, 'poll.options.1'],
  ['the same option twice', { question: 'Qual?', options: ['a', 'b', ' a'] }, 'poll.options.2'],
])('a poll with %s is refused', (_, poll, field) => {
  const { error } = MessageInput.safeParse({ poll })
  expect(new Set(error?.issues.map(({ path }) => path.join('.')))).toEqual(new Set([field]))
})

test('up to three short options are buttons, up to ten a list with what its titles cut', () => {
  expect(one(['Sim', 'Não'])).toEqual({ kind: 'buttons', buttons: ['Sim', 'Não'] })
  const long = 'Entrega no sábado pela manhã'
  expect(one([long, 'Outro dia'])).toMatchObject({
    kind: 'list',
    sections: [{ rows: [{ title: 'Entrega no sábado pela…', description: long }, { title: 'Outro dia' }] }],
  })
  expect(one(many(10, 100))?.kind).toBe('list')
})

test('more than ten options, or several answers, are written', () => {
  expect(one(many(11))).toBe(null)
  expect(pollChoices({ options: ['a', 'b'], isMultiple: true }, 'Ver')).toBe(null)
  expect(writtenPoll('Qual?', ['a', 'b'])).toBe('Qual?\n\n*1* - a\n*2* - b')
})

test('a bot’s menu is a poll where it fits, else what taps choose or a text', () => {
  const menu = (titles: string[], more: object = {}) => ({
    ...{ commandId: 1, text: 'Qual?', mediaUrl: null, style: 'poll' as const },
    options: titles.map((title, at) => ({ commandId: at, number: `${at + 1}`, title })),
    ...more,
  })
  expect(asPoll(menu(['Sim', 'Não']))).toEqual({ question: 'Qual?', options: ['Sim', 'Não'] })
  for (const other of [
    menu(['Sim']),
    menu(many(13)),
    menu(['Sim', 'Sim']),
    menu(['Sim', 'Não'], { text: 'x'.repeat(256) }),
    menu(['Sim', 'Não'], { mediaUrl: '/a.png' }),
    menu(['Sim', 'Não'], { style: 'list' }),
  ])
    expect(asPoll(other)).toBe(null)
  expect(tapped(menu(['Sim', 'Não']), 'Ver')?.kind).toBe('buttons')
  expect(tapped(menu(many(4)), 'Ver')?.kind).toBe('list')
})
