import { expect, test } from 'vitest'
import { MessageInput } from './messages.input.ts'

const rows = (many: number) => Array.from({ length: many }, (_, at) => ({ title: `Linha ${at}` }))
const list = (sections: object[], button = 'Ver') => ({ kind: 'list', button, sections })
const buttons = (...titles: string[]) => ({ kind: 'buttons', buttons: titles })
const long = (most: number) => 'x'.repeat(most + 1)

test.each([
  ['no button', buttons(), 'choices.buttons'],
  ['four buttons', buttons('1', '2', '3', '4'), 'choices.buttons'],
  ['a long button', buttons('Sim', long(20)), 'choices.buttons.1'],
  ['the same button twice', buttons('Sim', 'Não', 'Sim'), 'choices.buttons.2'],
  ['a list that nothing opens', list([{ rows: rows(1) }], ' '), 'choices.button'],
  ['no section', list([]), 'choices.sections'],
  ['an empty section', list([{ rows: [] }]), 'choices.sections.0.rows'],
  ['eleven rows', list([{ rows: rows(11) }]), 'choices.sections.0.rows'],
  [
    'eleven rows in two sections',
    list([
      { title: 'A', rows: rows(6) },
      { title: 'B', rows: rows(5) },
    ]),
    'choices.sections',
  ],
  [
    'a section without a name beside another',
    list([{ title: 'A', rows: rows(1) }, { rows: rows(1) }]),
    'choices.sections.1.title',
  ],
  ['a long row', list([{ rows: [{ title: long(24) }] }]), 'choices.sections.0.rows.0.title'],
  [
    'a long description',
    list([{ rows: [{ title: 'a', description: long(72) }] }]),
    'choices.sections.0.rows.0.description',
  ],
])('%s is refused by its field', (_, choices, field) => {
  const { error } = MessageInput.safeParse({ body: 'Escolha', choices })
  expect(error?.issues[0]?.path.join('.')).toBe(field)
})

test.each([
  ['nothing', '', buttons('Sim')],
  ['more than fits over buttons', long(1_024), buttons('Sim')],
  ['more than fits over a list', long(4_096), list([{ rows: rows(1) }])],
])('with %s above them they are refused by the body', (_, body, choices) => {
  expect(MessageInput.safeParse({ body, choices }).error?.issues[0]?.path).toEqual(['body'])
})

test('what WhatsApp shows is taken', () => {
  const menu = list([
    { title: 'Pães', rows: [{ title: 'Francês', description: 'Assado a cada hora' }] },
    { title: 'Bolos', rows: rows(9) },
  ])
  for (const choices of [buttons('Sim', 'Não', 'Talvez'), menu])
    expect(MessageInput.safeParse({ body: 'Escolha', choices }).error).toBeUndefined()
})
