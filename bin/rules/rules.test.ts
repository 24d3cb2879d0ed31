import { expect, test } from 'vitest'
import { channelsLive } from './channels-live.ts'
import { errorsSaid } from './errors-said.ts'
import { featuresListed } from './features-listed.ts'
import { featuresMeet } from './features-meet.ts'
import { here, type Rule, sourceOf } from './house.ts'
import { names } from './names.ts'
import { routesServed } from './routes-served.ts'
import { sizes } from './sizes.ts'
import { testsRun } from './tests-run.ts'
import { wallsStand } from './walls.ts'

const features = 'apps/server/src/features'

const breaches = async (rule: Rule, files: Record<string, string>) =>
  (
    await rule.find({
      root: here,
      sources: Object.entries(files).map(([path, text]) => sourceOf(path, text)),
    })
  ).join('\n')

test('imports are read in every form, and those of the workspace become paths', () => {
  const { imports, packages } = sourceOf(
    `${features}/tickets/tickets.actions.ts`,
    `import {\n  a,\n  type B,\n} from './tickets.queries.ts'
     import type { C } from '@balcao/contract/tickets.ts'
     export { d } from '../users/users.queries.ts'
     import 'dotted'
     const e = await import('./tickets.late.ts')
     const said = "import x from 'nowhere'"`,
  )
  expect(imports).toEqual([
    `${features}/tickets/tickets.queries.ts`,
    'packages/contract/src/tickets.ts',
    `${features}/users/users.queries.ts`,
    `${features}/tickets/tickets.late.ts`,
  ])
  expect(packages).toEqual(['dotted'])
})

test('a feature is entered by its front door', async () => {
  const found = await breaches(featuresMeet, {
    [`${features}/tickets/tickets.routes.ts`]: `import { x } from '../contacts/contacts.routes.ts'`,
    [`${features}/tickets/tickets.actions.ts`]: `import { x } from '../contacts/contacts.table.ts'
      import { y } from '../contacts/contacts.actions.ts'`,
    [`${features}/tickets/tickets.queries.ts`]: `import { x } from '../contacts/contacts.table.ts'`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('contacts.routes.ts, which is private to contacts'),
    expect.stringContaining('tickets.actions.ts imports apps/server/src/features/contacts/contacts.table.ts'),
  ])
})

test('news travels upward by event, and tables may point either way', async () => {
  const found = await breaches(featuresMeet, {
    [`${features}/contacts/contacts.actions.ts`]: `import { touch } from '../tickets/tickets.actions.ts'`,
    [`${features}/contacts/contacts.table.ts`]: `import { tickets } from '../tickets/tickets.table.ts'`,
  })
  expect(found.split('\n')).toEqual([expect.stringContaining('contacts stands below tickets')])
})

test('features outside the fixed order still make no ring', async () => {
  const ask = (of: string) => `import { x } from '../${of}/${of}.queries.ts'`
  const open = {
    [`${features}/tags/tags.queries.ts`]: ask('notes'),
    [`${features}/notes/notes.queries.ts`]: ask('files'),
  }
  const closing = { [`${features}/files/files.queries.ts`]: ask('tags') }
  const hearing = { [`${features}/files/files.reacts.ts`]: `import { x } from '../tags/tags.events.ts'` }
  expect(await breaches(featuresMeet, { ...open, ...closing })).toMatch(
    /^tags -> notes -> files -> tags is a ring[^\n]+$/,
  )
  expect(await breaches(featuresMeet, { ...open, ...hearing })).toBe('')
})

test('the web app never sees the server, nor the product its tests', async () => {
  const found = await breaches(wallsStand, {
    'apps/web/src/features/tickets/tickets.api.ts': `import { x } from '../../../../server/src/main.ts'`,
    'apps/server/src/main.ts': `import { x } from '../testing/world.ts'`,
    'apps/server/src/channels/baileys/baileys.test.ts': `import { x } from '@balcao/whatsapp-server/world.ts'`,
    'packages/contract/src/tickets.ts': `import dayjs from 'dayjs'`,
  })
  expect(found).toMatch(/tickets\.api\.ts imports apps\/server/)
  expect(found).toMatch(/main\.ts imports apps\/server\/testing/)
  expect(found).toMatch(/depends on zod alone/)
  expect(found).not.toMatch(/baileys\.test/)
})

test('a call that nobody serves is named, and one that two serve too', async () => {
  const contract = { 'packages/contract/src/permissions.ts': '' }
  expect(await breaches(routesServed, contract)).toMatch(/permissions\.list .* is not served/)
  const found = await breaches(routesServed, {
    ...contract,
    [`${features}/permissions/permissions.routes.ts`]: `import { permissions as calls } from '@balcao/contract/permissions.ts'
      export const routes = [serve(calls.list, f), serve(calls.list, f), serveOpen(
        calls.create, f), serve(calls.change, f), serve(calls.remove, f), serve(calls.gone, f)]`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringMatching(/permissions\.list is served 2 times/),
    expect.stringMatching(/serves permissions\.gone, which the contract does not declare/),
  ])
})

test('a channel is pushed on one side and heard on the other', async () => {
  const found = await breaches(channelsLive, {
    'packages/contract/src/permissions.ts': '',
    [`${features}/permissions/permissions.live.ts`]: 'push(userAuthorizationChannel, rooms, {})',
    'apps/web/src/features/permissions/permissions.live.ts': 'listen(otherChannel, x)',
  })
  expect(found).toMatch(/^userAuthorizationChannel .* is never heard[^\n]+$/)
})

test('an error without its three sentences is named, and an empty text too', async () => {
  const found = await breaches(errorsSaid, {
    'apps/web/src/platform/errors.text.ts': `ERR_BAD_REQUEST: ['a', 'b', 'c'],\n ERR_NO_SESSION: ['a', 'b'],`,
    'apps/web/src/features/tickets/tickets.text.ts': `open: ['Abrir', '', 'Abrir'],`,
  })
  expect(found).toMatch(/ERR_NO_SESSION has no sentence/)
  expect(found).not.toMatch(/ERR_BAD_REQUEST/)
  expect(found).toMatch(/tickets\.text\.ts:1 has an empty text/)
})

test('names tell the feature and the role', async () => {
  const found = await breaches(names, {
    [`${features}/tickets/tickets.search.ts`]: '',
    [`${features}/tickets/tickets.search.test.ts`]: '',
    [`${features}/tickets/index.ts`]: '',
    [`${features}/tickets/search.ts`]: '',
    'apps/web/src/platform/date-utils.ts': '',
    'apps/web/src/features/tickets/accept.dialog.tsx': '',
    'apps/web/src/features/tickets/ticket-list.tsx': '',
    'apps/web/src/features/tickets/ticket.store.ts': '',
  })
  expect(found.split('\n').map(line => line.split(/:| says/)[0])).toEqual([
    `${features}/tickets/search.ts`,
    'apps/web/src/platform/date-utils.ts',
    'apps/web/src/features/tickets/ticket.store.ts',
  ])
})

test('a card that no list names, a file too long and a test that does not run are found', async () => {
  const card = { [`${features}/tags/index.ts`]: '', 'apps/server/src/features.ts': '' }
  expect(await breaches(featuresListed, card)).toMatch(/tags\/index\.ts is not listed/)
  expect(await breaches(sizes, { 'apps/server/src/a.ts': '\n'.repeat(401) })).toMatch(/401 lines/)
  expect(await breaches(testsRun, { 'e2e/a.e2e.ts': 'test.only(1)\ntest.skipIf(x)(2)' })).toMatch(
    /^e2e\/a\.e2e\.ts:1/,
  )
})
