import type { Words } from './words.ts'

export const table = ({
  many,
  table: name,
}: Words) => `import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { companyId, serialId } from '../../platform/columns.ts'
import { companies } from '../companies/companies.table.ts'

export const ${many} = pgTable(
  '${name}',
  {
    id: serialId(),
    companyId: companyId().references(() => companies.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
  },
  table => [primaryKey({ columns: [table.companyId, table.id] })],
)
`

export const queries = ({
  many,
  Many,
  one,
  One,
  file,
}: Words) => `import type { ${One} } from '@balcao/contract/${file}.ts'
import { and, asc, eq } from 'drizzle-orm'
import type { Tx } from '../../platform/scope.ts'
import { ${many} } from './${file}.table.ts'

type ${One}Fields = Omit<${One}, 'id'>

const shown = { id: ${many}.id, name: ${many}.name }

export const list${Many} = (tx: Tx): Promise<${One}[]> =>
  tx.sql.select(shown).from(${many}).where(eq(${many}.companyId, tx.companyId)).orderBy(asc(${many}.name))

export async function insert${One}(tx: Tx, fields: ${One}Fields): Promise<${One}> {
  const [${one}] = await tx.sql.insert(${many}).values({ ...fields, companyId: tx.companyId }).returning(shown)
  return ${one}!
}

/** Answers null when the company has none with this id. */
export async function update${One}(tx: Tx, id: number, fields: ${One}Fields): Promise<${One} | null> {
  const own = and(eq(${many}.companyId, tx.companyId), eq(${many}.id, id))
  const [${one}] = await tx.sql.update(${many}).set(fields).where(own).returning(shown)
  return ${one} ?? null
}
`

export const actions = ({
  one,
  One,
  file,
}: Words) => `import type { ${One}, ${One}Input } from '@balcao/contract/${file}.ts'
import type { z } from 'zod'
import { refuse } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { ${one}Changed } from './${file}.events.ts'
import { insert${One}, update${One} } from './${file}.queries.ts'

type Input = z.output<typeof ${One}Input>

export const add${One} = (scope: Scope, input: Input): Promise<${One}> =>
  scope.transaction(async tx => {
    const ${one} = await insert${One}(tx, input)
    tx.emit(${one}Changed, { ${one}, created: true })
    return ${one}
  })

/** Refuses with ERR_NOT_FOUND. */
export const change${One} = (scope: Scope, id: number, input: Input): Promise<${One}> =>
  scope.transaction(async tx => {
    const ${one} = (await update${One}(tx, id, input)) ?? refuse('ERR_NOT_FOUND')
    tx.emit(${one}Changed, { ${one}, created: false })
    return ${one}
  })
`

export const events = ({
  one,
  One,
  file,
}: Words) => `import type { ${One} } from '@balcao/contract/${file}.ts'
import { event } from '../../platform/events.ts'

export const ${one}Changed = event<{ ${one}: ${One}; created: boolean }>('${one}.changed')
`

export const routes = ({
  many,
  Many,
  one,
  One,
  file,
}: Words) => `import { ${many} } from '@balcao/contract/${file}.ts'
import { serve } from '../../platform/routes.ts'
import { add${One}, change${One} } from './${file}.actions.ts'
import { list${Many} } from './${file}.queries.ts'

export const routes = [
  serve(${many}.list, scope => scope.transaction(list${Many})),
  serve(${many}.create, (scope, { body }) => add${One}(scope, body)),
  serve(${many}.change, (scope, { params, body }) => change${One}(scope, params.${one}Id, body)),
]
`

export const live = ({ one, file }: Words) => `import { ${one}Channel } from '@balcao/contract/${file}.ts'
import { announce, everyone } from '../../platform/live.ts'
import { ${one}Changed } from './${file}.events.ts'

export const live = [
  announce(${one}Changed, (companyId, { ${one}, created }, push) =>
    push(${one}Channel, everyone(companyId), { action: created ? 'create' : 'update', ${one} }),
  ),
]
`

export const card = ({ many, file }: Words) => `import type { Feature } from '../../platform/features.ts'
import { live } from './${file}.live.ts'
import { routes } from './${file}.routes.ts'

export const ${many}: Feature = { name: '${file}', routes, live }
`

export const tests = ({
  many,
  one,
  One,
  file,
}: Words) => `import { apply${One} } from '@balcao/contract/${file}.rules.ts'
import { ${one}Channel, ${many} } from '@balcao/contract/${file}.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorld, type World } from '../../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('what one admin adds or changes stands in the list of everyone, and nowhere else', async () => {
  const [admin, attendant, stranger] = await Promise.all(
    ['admin@balcao.test', 'atendente@balcao.test', 'admin@outra.test'].map(email => world.as(email)),
  )
  const before = await attendant!.get(${many}.list)
  const heard = await attendant!.hear(${one}Channel)
  const added = await admin!.get(${many}.create, { body: { name: 'First' } })
  await admin!.get(${many}.change, { params: { ${one}Id: added.id }, body: { name: 'Renamed' } })
  await expect.poll(() => heard.length).toBe(2)
  expect(heard.reduce(apply${One}, before)).toEqual(await attendant!.get(${many}.list))
  expect(await stranger!.get(${many}.list)).not.toContainEqual({ ...added, name: 'Renamed' })
})
`
