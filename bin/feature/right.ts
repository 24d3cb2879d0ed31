import type { List, Passage, Right } from './fields.ts'
import { capital, joined, type Words } from './words.ts'

/** Rights that every company's admin has, and no attendant. */
const ofAdmins = ['admin', 'administration']

/** The right of this name: a new one, which permission groups give, or one of admins. Throws an Error for any other. */
export function rightOf(name: string, rules: string): Right {
  if (!/^[a-z][a-zA-Z]*$/.test(name)) throw new Error(`A right is named such as bankHolidays: not ${name}`)
  const [, rights = ''] = /^const rights = \{\n([\s\S]*?)^\}/m.exec(rules) ?? []
  const there = [...rights.matchAll(/^ {2}'?([\w:-]+)'?: /gm)].map(([, right]) => right!)
  if (there.includes(name) && !ofAdmins.includes(name))
    throw new Error(`The right ${name} is there already: choose another name, or ${ofAdmins.join(' or ')}`)
  return { name, isNew: !there.includes(name) }
}

/** Where a right that groups give is written, beside the last one; `body` is what its test adds. */
export function rightsPassages({ words, right }: List, body: string): Record<string, Passage[]> {
  if (!right?.isNew) return {}
  const flag = `allow${capital(right.name)}`
  const off = after('allowWebhooks: false,\n', `${flag}: false,\n`)
  return {
    'packages/contract/src/permissions.ts': [
      after('  allowWebhooks: z.boolean(),\n', `  ${flag}: z.boolean(),\n`),
      after('  allowWebhooks: flag.optional(),\n', `  ${flag}: flag.optional(),\n`),
    ],
    'packages/contract/src/permissions.rules.ts': [
      off,
      after(
        "  'bots:connect': viewer => isAdmin(viewer) || viewer.authorization.allowDefaultBots,\n",
        `  ${right.name}: viewer => isAdmin(viewer) || viewer.authorization.${flag},\n`,
      ),
    ],
    'apps/server/src/features/permissions/permissions.table.ts': [
      after(
        "    allowWebhooks: boolean('allow_webhooks').notNull().default(false),\n",
        `    ${flag}: boolean('${joined(flag, '_')}').notNull().default(false),\n`,
      ),
    ],
    'apps/server/src/documents.entities.test.ts': [off],
    'apps/server/src/features/permissions/permissions.flags.test.ts': flagTest(words, flag, body),
    ...form(words, flag),
  }
}

const after = (line: string, added: string): Passage => [line, line + added]

const flagTest = ({ many, said }: Words, flag: string, body: string): Passage[] => [
  after(
    "import { webhooks } from '@balcao/contract/webhooks.ts'\n",
    `import { ${many} } from '@balcao/contract/${many}.ts'\n`,
  ),
  after(
    "  ['allowWebhooks', 'adds a webhook', addsWebhook, 200, 403],\n",
    `  ['${flag}', 'adds to the ${said.en.many}', async who => (await who.call(${many}.create, { body: ${body} })).status, 200, 403],\n`,
  ),
]

function form({ said: { pt, en, es } }: Words, flag: string): Record<string, Passage[]> {
  const inPortuguese = `Adicionar, alterar e excluir ${pt.many}`
  const texts = [inPortuguese, `Add, change and delete ${en.many}`, `Agregar, cambiar y eliminar ${es.many}`]
  return {
    'apps/web/src/features/permissions/group.dialog.tsx': [after("'allowWebhooks'", `, '${flag}'`)],
    'apps/web/src/features/permissions/permissions.text.ts': [
      after(
        "  allowWebhooks: ['Webhooks da empresa', 'The company’s webhooks', 'Webhooks de la empresa'],\n",
        `  ${flag}: [${texts.map(text => `'${text}'`).join(', ')}],\n`,
      ),
    ],
    'e2e/frames/UserAuthorizations-new.txt': [
      after('    switch Webhooks da empresa\n', `    switch ${inPortuguese}\n`),
    ],
  }
}
