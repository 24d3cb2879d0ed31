import {
  each,
  emptyInRow,
  type Field,
  isText,
  type List,
  lines,
  objectOf,
  type Passage,
  wrongOf,
} from './fields.ts'

/** The first field takes the place of the shortcut, and the others stand together as `rest`. */
export function serverTest({ fields, right }: List): Passage[] {
  const [first, ...rest] = fields as [Field, ...Field[]]
  const { name } = first
  const second = rest.find(isText)
  return [
    ["const message = 'A lua nova nasce cedo.'", `const rest = { ${objectOf(rest, 0)} }`],
    ['{ body: { shortcut, message } }', `{ body: { ${name}, ...rest } }`],
    ["shortcut: 'Lua', message }", `${name}: 'Lua', ...rest }`],
    ["{ shortcut: 'sol', message: 'O sol nasce cedo.' }", `{ ${objectOf(rest, 1, `${name}: 'sol'`)} }`],
    ["await list('sol nasce')", "await list('sol')"],
    ["{ shortcut: 'lida', message }", `{ ...rest, ${name}: 'lida' }`],
    ["{ shortcut: 'meu', message }", `{ ...rest, ${name}: 'meu' }`],
    [["  [{ shortcut: '', message }", "30_001) }, 'message'],\n"], refused(fields)],
    ...searches(name, second),
    ...omitted(name, rest),
    ...(right ? byAdmin : []),
  ]
}

const searches = (name: string, second: Field | undefined): Passage[] =>
  second
    ? [
        [
          "{ shortcut: 'aviso', message: 'O cometa passou ontem.' }",
          `{ ...rest, ${name}: 'aviso', ${second.name}: 'O cometa passou ontem.' }`,
        ],
      ]
    : [
        [
          "expect([await list('LUA'), await list('nasce')]).toEqual([[added], [added]])",
          "expect(await list('LUA')).toEqual([added])",
        ],
        [["test('what begins with the words", "'aviso'])\n})\n\n"], ''],
      ]

const refused = (fields: Field[]) =>
  each(fields, (field, isFirst) =>
    lines(
      wrongOf(field, isFirst).map(
        value =>
          `  [{ ...rest, ${isFirst ? '' : `${fields[0]!.name}: 'sol', `}${field.name}: ${value} }, '${field.name}'],`,
      ),
    ),
  ).join('')

function omitted(name: string, rest: Field[]): Passage[] {
  const optional = rest.filter(({ isOptional }) => isOptional)
  if (optional.length === 0) return []
  const body = objectOf(
    rest.filter(({ isOptional }) => !isOptional),
    0,
    `${name}: 'pouco'`,
  )
  const row = optional.map(field => `${field.name}: ${emptyInRow(field)}`).join(', ')
  const test = `test('what may be left out is empty', async () => {
  const added = await marina.get(quickAnswers.create, { body: { ${body} } })
  expect(added).toMatchObject({ ${row} })
})

`
  return [['test.each(', `${test}test.each(`]]
}

const byAdmin: Passage[] = [
  ['let marina: Person\n', ''],
  ["  marina = await app.as('atendente@balcao.test')\n", ''],
  [/\bmarina\b/g, 'admin'],
]

/** The walk through the screen changes the second text, or the name of the row where there is none. */
export function screenTest(list: List): Passage[] {
  const [first, ...rest] = list.fields as [Field, ...Field[]]
  const second = rest.find(isText)
  const { name, label } = second ?? first
  const written = (row: string, text: string) => `'${second ? text : `${row} ${text}`}'`
  const changes = (row: string, text: string): Passage => [
    `fill('Mensagem', '${text}')`,
    `fill('${label.pt}', ${written(row, text)})`,
  ]
  return [
    [
      "{ id: 1, shortcut: 'pix', message: 'Pagando por Pix há desconto.' }",
      `{ id: 1, ${first.name}: 'pix'${second ? `, ${name}: 'Pagando por Pix há desconto.'` : ''} }`,
    ],
    [
      ["  await dialog.fill('Atalho', 'horario')", "'Abrimos das 9h às 19h.')\n"],
      lines([`  await dialog.fill('${first.label.pt}', 'horario')`, ...filled(rest, second)]),
    ],
    ["sees('Abrimos das 9h às 19h.')", `sees('${second ? 'Abrimos das 9h às 19h.' : 'horario'}')`],
    changes('horario', 'Abrimos das 9h às 18h.'),
    ["=> shortcut === 'horario')", `=> ${first.name}.startsWith('horario'))`],
    ["own.message = 'Fechado.'", `own.${name} = ${written('horario', 'Fechado.')}`],
    ...whoMay(list, first.name),
  ]
}

const filled = (rest: Field[], second: Field | undefined) =>
  rest
    .filter(({ kind }) => kind !== 'boolean')
    .map(field => {
      const value = { number: '12', date: '2026-12-25', text: 'Uma palavra', boolean: '' }[field.kind]
      return `  await dialog.fill('${field.label.pt}', '${field === second ? 'Abrimos das 9h às 19h.' : value}')`
    })

const whoMay = ({ words, right }: List, name: string): Passage[] =>
  right
    ? [
        [["test('what is everybody’s", '\n})\n'], seenOnly(words.said.pt.one, right.name, name)],
        ["enter('/quickAnswers', marina", "enter('/quickAnswers', helena"],
      ]
    : [["shortcut: 'prazo', message: 'Dez dias.'", `${name}: 'prazo'`]]

const seenOnly = (called: string, right: string, name: string) =>
  `test('without the right ${right} rows are seen, and neither added nor changed', async () => {
  const rows = [sample(QuickAnswer, { id: 1, ${name}: 'prazo' })]
  const page = enter('/quickAnswers/new', marina, { answers: answering(rows) })
  await page.row('prazo').sees('prazo')
  expect([page.maybe('dialog'), page.maybe('button', 'Adicionar ${called}')]).toEqual([null, null])
  expect(page.row('prazo').maybe('button', /Editar|Excluir/)).toBeNull()
})
`
