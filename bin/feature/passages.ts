import {
  bodyOf,
  columnOf,
  columnTypes,
  controlOf,
  controlTypes,
  each,
  emptyOf,
  type Field,
  headOf,
  inputOf,
  isParsed,
  isText,
  kitOf,
  type List,
  lines,
  type Passage,
  shapeOf,
} from './fields.ts'
import { ofOwners } from './owners.ts'
import { screenTest, serverTest } from './tests.ts'
import { joined } from './words.ts'

/** The text with another passage. Throws an Error where the copied file has it no more. */
export function replaced(text: string, [from, to]: Passage, path: string): string {
  if (from instanceof RegExp) return text.replace(from, to)
  const [begin, end] = typeof from === 'string' ? [from, ''] : from
  const start = text.indexOf(begin)
  const stop = text.indexOf(end, start + begin.length)
  if (start < 0 || stop < 0)
    throw new Error(
      `${path} has no passage any more that begins so: change bin/feature/passages.ts\n${begin}`,
    )
  return text.slice(0, start) + to + text.slice(stop + end.length)
}

/** What a copy is without, then what depends on the fields and the right, by the golden file; with the golden names. */
export function passagesOf(list: List): Record<string, Passage[]> {
  const asked = passagesAsked(list)
  const paths = [...Object.keys(ofOwners), ...Object.keys(asked)]
  return Object.fromEntries(paths.map(path => [path, [...(ofOwners[path] ?? []), ...(asked[path] ?? [])]]))
}

function passagesAsked(list: List): Record<string, Passage[]> {
  return {
    'packages/contract/src/quickAnswers.ts': contract(list),
    ...server(list),
    ...web(list),
    'apps/server/src/features/quickAnswers/quickAnswers.test.ts': serverTest(list),
    'apps/web/src/features/quickAnswers/quick-answers-screen.test.tsx': screenTest(list),
    ...lists(list),
  }
}

function contract({ fields, right }: List): Passage[] {
  const open = "'/quickAnswers', {\n    needs: 'session',"
  const one = "'/quickAnswers/:quickAnswerId', {\n    needs: "
  return [
    ['import { id, listChannel,', `import { ${['id', ...kitOf(fields)].join(', ')}, listChannel,`],
    [
      '  shortcut: z.string(),\n  message: z.string(),\n',
      lines(each(fields, field => `  ${field.name}: ${shapeOf(field)},`)),
    ],
    [
      '  shortcut: text(2, 15),\n  message: text(8, 30_000),\n',
      lines(each(fields, (field, isFirst) => `  ${field.name}: ${inputOf(field, isFirst)},`)),
    ],
    ...(right
      ? ([
          [`'POST', ${open}`, `'POST', '/quickAnswers', {\n    needs: '${right.name}',`],
          [`'PUT', ${one}'session'`, `'PUT', ${one}'${right.name}'`],
          [`'DELETE', ${one}'shared:delete'`, `'DELETE', ${one}'${right.name}'`],
        ] satisfies Passage[])
      : []),
  ]
}

function server({ fields }: List): Record<string, Passage[]> {
  const found = fields.filter(isText)
  return {
    'apps/server/src/features/quickAnswers/quickAnswers.table.ts': [
      [
        'import { index, pgTable, primaryKey, text }',
        `import { ${['index', 'pgTable', 'primaryKey', ...columnTypes(fields)].toSorted().join(', ')} }`,
      ],
      [
        "    shortcut: text('shortcut').notNull(),\n    message: text('message').notNull(),\n",
        lines(each(fields, field => `    ${field.name}: ${columnOf(field)},`)),
      ],
    ],
    'apps/server/src/features/quickAnswers/quickAnswers.queries.ts': [
      [
        'the search looks at shortcut and message.',
        `the search looks at ${found.map(({ name }) => name).join(' and ')}.`,
      ],
      [
        'quickAnswers.shortcut, quickAnswers.message',
        found.map(({ name }) => `quickAnswers.${name}`).join(', '),
      ],
    ],
  }
}

function web(list: List): Record<string, Passage[]> {
  const { fields } = list
  const controls = each(fields, controlOf)
  const yesNo = "  yes: ['Sim', 'Yes', 'Sí'],\n  no: ['Não', 'No', 'No'],\n"
  return {
    'apps/web/src/features/quickAnswers/quick-answer.dialog.tsx': [
      ['import { Textarea, TextInput }', `import { ${controlTypes(fields).join(', ')} }`],
      [
        ['{{\n            shortcut: quickAnswer', '}}'],
        `{{ ${each(fields, field => `${field.name}: quickAnswer?.${field.name} ?? ${emptyOf(field)}`).join(', ')} }}`,
      ],
      ...(fields.some(isParsed)
        ? ([
            [
              'saveQuickAnswer(id, values, seen)',
              'saveQuickAnswer(id, QuickAnswerInput.parse(values), seen)',
            ],
          ] as Passage[])
        : []),
      [['<>', '</>'], controls.length === 1 ? controls[0]! : `<>${controls.join('\n')}</>`],
    ],
    'apps/web/src/features/quickAnswers/quickAnswers.text.ts': [
      [
        "  shortcut: ['Atalho', 'Shortcut', 'Atajo'],\n  message: ['Mensagem', 'Message', 'Mensaje'],\n",
        lines(each(fields, ({ name, label: { pt, en, es } }) => `  ${name}: ['${pt}', '${en}', '${es}'],`)) +
          (fields.some(({ kind }) => kind === 'boolean') ? yesNo : ''),
      ],
    ],
    'apps/web/src/features/quickAnswers/quick-answers-screen.tsx': screen(list),
  }
}

function screen({ fields, right }: List): Passage[] {
  const has = (kind: Field['kind']) => fields.some(field => field.kind === kind)
  const first = "import { ListScreen } from '../../ui/list-screen/list-screen.tsx'\n"
  const imports = [
    has('number') ? "import { whole } from '../../platform/numbers.ts'\n" : '',
    right ? "import { useMay } from '../../platform/session.tsx'\n" : '',
    has('date') ? "import { shownTime } from '../../platform/time.ts'\n" : '',
  ]
  return [
    [["    { key: 'shortcut',", 'one.message },\n'], lines(each(fields, headOf))],
    [first, imports.join('') + first],
    ...(right ? screenWithRight(right.name) : []),
  ]
}

const screenWithRight = (right: string): Passage[] => [
  ['import { RowActions, useWhyNot }', 'import { RowActions }'],
  ["const whyNot = useWhyNot('shared:delete')", `const mayChange = useMay('${right}')`],
  ["    {\n      key: 'actions',", "  ]\n  const actions: Column<QuickAnswer> = {\n      key: 'actions',"],
  ['\n          whyNot={whyNot}', ''],
  ['\n      ),\n    },\n  ]\n', '\n      ),\n    }\n'],
  [
    " add={t('add')} dialog={QuickAnswerDialog}",
    " {...(mayChange && { add: t('add'), dialog: QuickAnswerDialog })}",
  ],
  ['columns={columns}', 'columns={mayChange ? [...columns, actions] : columns}'],
]

/** A role of the accessible frame of a form's control. */
const roleOf = ({ kind }: Field) => (kind === 'boolean' ? 'switch' : 'textbox')

function lists({ fields, right }: List): Record<string, Passage[]> {
  const body = bodyOf(fields)
  const columns = fields.filter(isText).map(({ name }) => `\`${joined(name, '_')}\``)
  return {
    'apps/server/testing/access.table.ts': [
      [
        "{ shortcut: 'prazo', message: 'O prazo é de dez dias.' })",
        `${body}${right ? ', [adminsIn, oursForAdmins]' : ''})`,
      ],
    ],
    'apps/server/src/tenancy.test.ts': [["{ shortcut: 'prazo', message: 'Dez dias.' }", body]],
    'docs/personal-data.md': [['`shortcut`, `message`', columns.join(', ')]],
    'e2e/screens.ts': right ? [["'attendant'", "'admin'"]] : [],
    'e2e/frames/quickAnswers.txt': [
      [
        '    columnheader Atalho\n    columnheader Mensagem\n',
        lines(fields.map(({ label }) => `    columnheader ${label.pt}`)),
      ],
    ],
    'e2e/frames/quickAnswers-new.txt': [
      [
        '  textbox Atalho\n  textbox Mensagem\n',
        lines(fields.map(field => `  ${roleOf(field)} ${field.label.pt}`)),
      ],
    ],
  }
}
