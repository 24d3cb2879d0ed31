import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oneArchiveReader } from './archives.ts'
import { channelsLive } from './channels-live.ts'
import { noCircles, roomsOneWay, webFeaturesOneWay } from './circles.ts'
import { oneClock } from './clocks.ts'
import { here, type Rule, sourceOf } from './codebase.ts'
import { keysNameTheCompany } from './distribution.ts'
import { errorTexts } from './error-texts.ts'
import { failpointsExist } from './failpoints-exist.ts'
import { featuresListed } from './features-listed.ts'
import { featuresMeet } from './features-meet.ts'
import { noRowsMoved, oneSnapshot } from './migrations.ts'
import { noModuleState } from './module-state.ts'
import { names } from './names.ts'
import { outboundGuarded } from './outbound.ts'
import { noCasts, noSleeps } from './plain-code.ts'
import { unproved } from './proofs.ts'
import { noRefsWhileRendering } from './refs-while-rendering.ts'
import { noRetiredWords } from './retired-words.ts'
import { fileRoles, sqlInQueries } from './roles.ts'
import { routesServed } from './routes-served.ts'
import { screensLookedAt } from './screens-looked-at.ts'
import { sizes } from './sizes.ts'
import { testsRun } from './tests-run.ts'
import { moduleBoundaries } from './walls.ts'
import { oneWayOut } from './ways-out.ts'
import { wholeTexts } from './whole-texts.ts'

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

test('a file of a feature has a known role, also in a folder of a large feature', async () => {
  const found = await breaches(fileRoles, {
    [`${features}/notes/index.ts`]: '',
    [`${features}/notes/notes.queries.ts`]: '',
    [`${features}/notes/notes.search.queries.ts`]: '',
    [`${features}/notes/inbound/receipts.actions.ts`]: '',
    [`${features}/notes/notes.manager.ts`]: '',
    [`${features}/notes/notes.search.test.ts`]: '',
  })
  expect(found).toMatch(/^\S+notes\.manager\.ts: its last word is none of table, queries/)
  expect(found.split('\n')).toHaveLength(1)
})

test('code of the server asks the database for the time, in whichever form; tests and given times are free', async () => {
  const found = await breaches(oneClock, {
    [`${features}/notes/notes.actions.ts`]: `const at = new Date().toISOString()`,
    [`${features}/notes/notes.worker.ts`]: `const late = Date.parse(row.dueAt) < Date.now()`,
    [`${features}/notes/notes.client.ts`]: `const clock = Date.now`,
    [`${features}/notes/notes.export.ts`]: `const shown = Date()`,
    [`${features}/notes/notes.routes.ts`]: `token.setIssuedAt().setExpirationTime('15m')`,
    [`${features}/notes/notes.rules.ts`]: `const day = new Date(given).toDateString() + databaseDate()`,
    [`${features}/notes/notes.queries.ts`]: `const began = performance.now()`,
    [`${features}/notes/notes.test.ts`]: `const now = Date.now()`,
  })
  expect(found.match(/notes\.\w+\.ts/g)).toEqual([
    'notes.actions.ts',
    'notes.worker.ts',
    'notes.client.ts',
    'notes.export.ts',
    'notes.routes.ts',
    'notes.routes.ts',
  ])
})

test('a module of the server holds no state, also where it is typed; constants are none', async () => {
  const found = await breaches(noModuleState, {
    [`${features}/notes/notes.actions.ts`]: `const known = new Map<string, Map<string, number>>()`,
    [`${features}/notes/notes.worker.ts`]: `export let last: number | null = null`,
    [`${features}/notes/notes.client.ts`]: `const answers: Answers = new LRUCache({ max: 5 })`,
    [`${features}/notes/notes.rules.ts`]: `const KINDS = new Map([['a', 1]])\n  let inside = 1`,
    [`${features}/notes/notes.queries.ts`]: `const answersOf = perProduct(() => new Map<string, number>())`,
    [`${features}/notes/notes.test.ts`]: `let app: TestApp`,
  })
  expect(found.match(/notes\.\w+\.ts/g)).toEqual(['notes.actions.ts', 'notes.worker.ts', 'notes.client.ts'])
})

test('statements and tables are imported by queries alone; types of rows by anybody', async () => {
  const found = await breaches(sqlInQueries, {
    [`${features}/notes/notes.queries.ts`]: `import { eq } from '../../platform/postgres/sql.ts'
      import { notes } from './notes.table.ts'`,
    [`${features}/notes/notes.actions.ts`]: `import { eq } from '../../platform/postgres/sql.ts'
      import type { NoteRow } from './notes.table.ts'`,
    [`${features}/notes/notes.jobs.ts`]: `import { notes } from './notes.table.ts'`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('notes.actions.ts imports apps/server/src/platform/postgres/sql.ts'),
    expect.stringContaining('notes.jobs.ts imports apps/server/src/features/notes/notes.table.ts'),
  ])
})

test('a retired word in a comment is found, in a string or in code marks it is not', async () => {
  const found = await breaches(noRetiredWords, {
    'apps/a.ts': `const text = 'nobody' // \`told\` is a column\n/**\n * Who hears of it.\n */\nconst url = 'https://x/heard'`,
  })
  expect(found).toBe('apps/a.ts:2 says "hears": write receives, subscribes')
})

test('a failpoint that no test can reach, or that no file exports any more, is found', async () => {
  const found = await breaches(failpointsExist, {
    'apps/server/testing/failpoints.watched.ts': `export const watched = { 'a/a.queries.ts': ['read', 'gone', 'unused'] }`,
    'apps/server/src/a/a.queries.ts': 'export const read = 1\nexport const unused = 2',
    'apps/server/src/crash/a.test.ts': `const points = ['a/a.queries.ts#read:before', 'a/a.queries.ts#gone:after', 'b.ts#moved:after']`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('a.test.ts uses b.ts#moved'),
    expect.stringContaining('a/a.queries.ts#unused, which no test uses'),
    expect.stringContaining('a/a.queries.ts#gone, which no file exports'),
  ])
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
    [`${features}/tickets/tickets.actions.ts`]: `import { find } from '../contacts/contacts.queries.ts'`,
    'apps/server/src/features.ts': 'export const features: Feature[] = [\n  contacts,\n  tickets,\n]',
  })
  expect(found.split('\n')).toEqual([expect.stringContaining('contacts stands below tickets')])
})

test('files make no circle of what they need; types and late imports are no need', async () => {
  const files = (last: string) => ({
    'apps/server/src/a.ts': `import { b } from './b.ts'`,
    'apps/server/src/b.ts': `export { c } from './c.ts'`,
    'apps/server/src/c.ts': last,
  })
  expect(await breaches(noCircles, files(`import { a } from './a.ts'`))).toMatch(
    /^apps\/server\/src\/a\.ts -> .*b\.ts -> .*c\.ts -> apps\/server\/src\/a\.ts: move[^\n]+$/,
  )
  expect(await breaches(noCircles, files(`import type { A } from './a.ts'`))).toBe('')
  expect(await breaches(noCircles, files(`const a = () => import('./a.ts')`))).toBe('')
})

test('rooms of a feature import one way, types too', async () => {
  const talk = 'apps/web/src/features/messages'
  const files = (back: string) => ({
    [`${talk}/messages.live.ts`]: `import { x } from './thread/bubble.tsx'`,
    [`${talk}/thread/bubble.tsx`]: `import { x } from '../media/picture.tsx'\n import { y } from './story.ts'`,
    [`${talk}/media/picture.tsx`]: `import { x } from '../messages.api.ts'`,
    [`${talk}/media/film.tsx`]: back,
  })
  expect(await breaches(roomsOneWay, files(''))).toBe('')
  expect(await breaches(roomsOneWay, files(`import type { Y } from '../thread/story.ts'`))).toBe(
    `${talk}/thread -> ${talk}/media -> ${talk}/thread: move what both need into the lower room`,
  )
})

test('features of the web import one way, types and late imports too', async () => {
  const web = 'apps/web/src/features'
  const files = (back: string) => ({
    [`${web}/messages/thread/bubble.tsx`]: `import { x } from '../../tickets/times.ts'`,
    [`${web}/tickets/times.ts`]: `import { y } from '../users/users.api.ts'`,
    [`${web}/users/users.api.ts`]: back,
    [`${web}/users/users.test.tsx`]: `import { z } from '../messages/messages.api.ts'`,
  })
  expect(await breaches(webFeaturesOneWay, files(''))).toBe('')
  for (const back of [
    `import type { Y } from '../messages/messages.api.ts'`,
    `const Y = soon(() => import('../messages/thread/bubble.tsx'))`,
  ])
    expect(await breaches(webFeaturesOneWay, files(back))).toMatch(
      /^\S+messages -> \S+tickets -> \S+users -> \S+messages: move what both need/,
    )
})

test('a screen leads to another address by the function that asks first', async () => {
  const found = await breaches(oneWayOut, {
    'apps/web/src/ui/go-to.ts': `const navigate = useNavigate()`,
    'apps/web/src/shell/bell.tsx': `const goTo = useGoTo()\nconst navigate = useNavigate()`,
  })
  expect(found).toBe('apps/web/src/shell/bell.tsx:2 leaves without asking: use useGoTo of ui/go-to.ts')
})

test('a component or a hook changes a ref in handlers and effects, not while it renders', async () => {
  const found = await breaches(noRefsWhileRendering, {
    'apps/web/src/ui/row.tsx': `
      export const Row = memo(function Row() {
        const seen = useRef(0)
        seen.current++
        useEffect(() => { seen.current = 1 })
        return <a onClick={() => { seen.current += 1 }} />
      })
      export const useRow = () => { newest.current.at = 2 }
      const usefulLater = () => { newest.current = 2 }
      function useTitle() { first.current ??= made(); return first.current === null }`,
  })
  expect(found.split('\n').map(one => one.split(' ')[0])).toEqual(
    [4, 8, 10].map(line => `apps/web/src/ui/row.tsx:${line}`),
  )
})

test('channels ask features, and features know no channel', async () => {
  const found = await breaches(moduleBoundaries, {
    [`${features}/messages/messages.actions.ts`]: `import { x } from '../../channels/outbox.ts'`,
    'apps/server/src/channels/outbox.ts': `import { y } from '../features/messages/messages.table.ts'
      import { z } from '../features/messages/messages.waiting.ts'`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('what both speak of stands in driver.ts'),
    expect.stringContaining('channels hold no SQL'),
  ])
})

test('features ask payment providers, who know no feature and are not known to the platform', async () => {
  const found = await breaches(moduleBoundaries, {
    [`${features}/invoices/invoices.actions.ts`]: `import { x } from '../../payments/payments.ts'`,
    'apps/server/src/payments/asaas.ts': `import { y } from '../features/invoices/invoices.queries.ts'
      import { z } from '../platform/outbound.ts'`,
    'apps/server/src/platform/app.ts': `import { openAsaas } from '../payments/asaas.ts'`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('payment providers know no feature'),
    expect.stringContaining('the platform knows no feature'),
  ])
})

test('the web app never sees the server, nor the product its tests', async () => {
  const found = await breaches(moduleBoundaries, {
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
      export const routes = [serve(calls.list, f), serve(calls.list, f), serve(calls.show, f), serveOpen(
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

test('an error without its three sentences is named, and an empty text too [GEN-012, GEN-014, ERR-005]', async () => {
  const found = await breaches(errorTexts, {
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
    'apps/web/src/features/tickets/list/list.text.ts': '',
    'apps/web/src/features/tickets/list/row.text.ts': '',
  })
  expect(found.split('\n').map(line => line.split(/:| says/)[0])).toEqual([
    `${features}/tickets/search.ts`,
    'apps/web/src/platform/date-utils.ts',
    'apps/web/src/features/tickets/ticket.store.ts',
    'apps/web/src/features/tickets/list/row.text.ts',
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

test('nothing but the guarded client calls out', async () => {
  const found = await breaches(outboundGuarded, {
    [`${features}/hooks/hooks.jobs.ts`]: `const answer = await fetch(url)`,
    [`${features}/hooks/hooks.actions.ts`]: `import { request } from 'undici'`,
    [`${features}/hooks/hooks.queries.ts`]: `import { get } from 'node:https'`,
    [`${features}/hooks/hooks.routes.ts`]: `import { connect } from 'node:net'`,
    [`${features}/hooks/hooks.live.ts`]: `const socket = new WebSocket(url)`,
    [`${features}/hooks/hooks.late.ts`]: `const { request } = await import('node:http')`,
    [`${features}/hooks/hooks.bucket.ts`]: `const client = new S3Client({ region })`,
    [`${features}/hooks/hooks.pool.ts`]: `const pool = new pg.Pool({ max })`,
    [`${features}/hooks/hooks.redis.ts`]: `const { createClient } = await import('redis')`,
    [`${features}/hooks/hooks.mail.ts`]: `import { createTransport } from 'nodemailer'`,
    [`${features}/hooks/hooks.events.ts`]: `import type { Server } from 'node:http'\nimport { isIP } from 'node:net'`,
    [`${features}/hooks/hooks.test.ts`]: `await fetch(url)`,
    [`${features}/hooks/hooks.fetch.ts`]: `await outbound.fetchOutside(url)\nawait admin.fetch(path)`,
    'apps/server/src/platform/outbound/outbound.ts': `import { request } from 'undici'`,
  })
  expect(found.split('\n').map(line => line.split(' ')[0])).toEqual(
    ['jobs', 'actions', 'queries', 'routes', 'live', 'late', 'bucket', 'pool', 'redis', 'mail'].map(
      role => `${features}/hooks/hooks.${role}.ts`,
    ),
  )
})

test('archives are read by one reader', async () => {
  const found = await breaches(oneArchiveReader, {
    [`${features}/hooks/hooks.jobs.ts`]: `import { open } from 'yauzl'`,
    [`${features}/hooks/hooks.worker.ts`]: `import { readSheet } from 'read-excel-file/node'`,
    [`${features}/hooks/hooks.actions.ts`]: `import { crc32, createInflateRaw } from 'node:zlib'`,
    [`${features}/hooks/hooks.events.ts`]: `import { crc32, gzipSync } from 'node:zlib'\nimport type yauzl from 'yauzl'`,
    [`${features}/hooks/hooks.test.ts`]: `import { open } from 'yauzl'`,
    'apps/server/src/platform/files/unzip.ts': `import yauzl from 'yauzl'`,
  })
  expect(found.split('\n').map(line => line.split(' ')[0])).toEqual(
    ['jobs', 'worker', 'actions'].map(role => `${features}/hooks/hooks.${role}.ts`),
  )
})

test('a screen that nobody looks at is named, and a look at none', async () => {
  const found = await breaches(screensLookedAt, {
    'apps/web/src/features/tags/index.tsx': `screens: [{ path: '/tags/:id?', access: 'private' }, {\n path: '/new',\n access: 'private' }],
      menu: [{ path: '/tags', label }]`,
    'e2e/screens.ts': `...looksAt('/tags/:id?', 'admin', {}), ...looksAt('/gone', 'admin', {})`,
  })
  expect(found.split('\n')).toEqual([
    expect.stringContaining('/new of apps/web/src/features/tags/index.tsx is not looked at'),
    'e2e/screens.ts looks at /gone, which no feature shows',
  ])
})

test('times are shown on the clock of the company', async () => {
  const text = `import dayjs from 'dayjs'`
  const found = await breaches(moduleBoundaries, {
    'apps/web/src/features/tickets/times.ts': text,
    'apps/web/src/platform/time.ts': text,
  })
  expect(found).toBe(
    "apps/web/src/features/tickets/times.ts imports dayjs: times are shown on the company's clock, by platform/time.ts",
  )
})

test('a requirement that no test names is found, and an id that no requirement has', () => {
  const file = 'e2e/tickets.e2e.ts'
  // written so that this file does not prove them
  const tests = `test('a draft stays [#001, #002]', () => {})
    test.each(odd)(
      'is refused: %s [#010]',
      () => {})
    test('a draft goes [#404]', () => {})`.replaceAll('#', 'TICKET-')
  const page = [
    `| TICKET-001 | drafts | holds | |`,
    `| TICKET-002 | seen | holds, by hand | *Rascunho* was there |`,
    `| TICKET-003 | the rest | later: reports | |`,
    `| TICKET-010 | refusals | partly: half of it | |`,
    `| TICKET-012 | nothing | holds | |`,
    `| TICKET-012 | odd | perhaps | |`,
  ].join('\n')
  expect(unproved(page, [sourceOf(file, tests)])).toEqual([
    'docs/requirements.md:5 TICKET-012 holds, but no title of a test names it',
    'docs/requirements.md:6 TICKET-012 is there twice',
    'docs/requirements.md:6 TICKET-012 is in no known state: perhaps',
    'e2e/tickets.e2e.ts proves TICKET-404, which docs/requirements.md does not have',
  ])
})

test('of the snapshots of the migrations only the newest may stand', async () => {
  const root = mkdtempSync(join(tmpdir(), 'balcao-snapshots-'))
  const meta = join(root, 'apps/server/migrations/meta')
  const write = (name: string, text = '{}') => writeFileSync(join(meta, name), text)
  try {
    mkdirSync(meta, { recursive: true })
    write('_journal.json', JSON.stringify({ entries: [{ tag: '0000_baseline' }, { tag: '0001_holidays' }] }))
    write('0000_snapshot.json')
    expect(await oneSnapshot.find({ root, sources: [] })).toEqual([
      'apps/server/migrations/meta/0000_snapshot.json: only 0001_snapshot.json, the newest, is kept: remove it',
      expect.stringContaining('0001_snapshot.json is missing'),
    ])
    write('0001_snapshot.json')
    rmSync(join(meta, '0000_snapshot.json'))
    expect(await oneSnapshot.find({ root, sources: [] })).toEqual([])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a key of a company’s table that does not name the company is found', async () => {
  const root = mkdtempSync(join(tmpdir(), 'balcao-keys-'))
  const meta = join(root, 'apps/server/migrations/meta')
  const index = (name: string, ...columns: string[]) => ({
    [name]: { name, isUnique: true, columns: columns.map(expression => ({ expression })) },
  })
  const holidays = {
    name: 'holidays',
    columns: { id: { name: 'id', primaryKey: true }, company_id: { name: 'company_id', primaryKey: false } },
    indexes: { ...index('holidays_day', 'day'), ...index('holidays_name', 'company_id', 'name') },
    foreignKeys: { day: { columnsFrom: ['day'], tableTo: 'days' } },
    compositePrimaryKeys: {},
    uniqueConstraints: {},
  }
  try {
    mkdirSync(meta, { recursive: true })
    writeFileSync(join(meta, '_journal.json'), JSON.stringify({ entries: [{ tag: '0000_baseline' }] }))
    writeFileSync(join(meta, '0000_snapshot.json'), JSON.stringify({ tables: { holidays } }))
    const found = await keysNameTheCompany.find({ root, sources: [] })
    expect(found.filter(line => line.startsWith('holidays')).map(line => line.split(' lacks')[0])).toEqual([
      'holidays: primary key',
      'holidays: holidays_day',
      'holidays: to days',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a migration that moves or rewrites the rows of a table is found, a function that will is not', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rules-'))
  const migrations = join(root, 'apps/server/migrations')
  mkdirSync(migrations, { recursive: true })
  const write = (name: string, ...statements: string[]) =>
    writeFileSync(join(migrations, `${name}.sql`), statements.join(';--> statement-breakpoint\n'))
  try {
    write('0000_baseline', 'update old set a = 1')
    write(
      '0010_good',
      'ALTER TABLE "tags" ADD COLUMN "place" integer DEFAULT 0 NOT NULL',
      'create function count_it() returns trigger language plpgsql as $$ begin update counts set n = n + 1; return new; end $$',
      "insert into settings (key, value) values ('a', 'b')",
    )
    write(
      '0011_moved',
      '-- of old\nUPDATE tags SET place = 1',
      'insert into counts select count(*) from tags',
    )
    write('0012_rewritten', 'ALTER TABLE "tags" ALTER COLUMN "place" SET DATA TYPE bigint')
    const found = (await noRowsMoved.find({ root, sources: [] })).map(line => line.split(' takes')[0])
    expect(found).toEqual([
      'apps/server/migrations/0011_moved.sql: `UPDATE tags SET place = 1`',
      'apps/server/migrations/0011_moved.sql: `insert into counts select count(*) from tags`',
      'apps/server/migrations/0012_rewritten.sql: `ALTER TABLE "tags" ALTER COLUMN "place" SET DATA TYPE bigint`',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})

test('a cast and a fixed wait are counted against what stood when the rule came', async () => {
  const cast = await breaches(noCasts, {
    [`${features}/tags/tags.queries.ts`]: 'const a = b as unknown as Tag',
  })
  expect(cast).toContain('tags.queries.ts: 1 where 0 may be (line 1): write a type that is true, or parse')
  const id = await breaches(noCasts, {
    [`${features}/tags/tags.queries.ts`]: 'const key = given as ExternalId',
  })
  expect(id).toContain('tags.queries.ts: 1 where 0 may be')
  const wait = 'await new Promise(done => setTimeout(done, 500))'
  const slept = await breaches(noSleeps, {
    [`${features}/tags/tags.test.ts`]: wait,
    [`${features}/tags/tags.jobs.ts`]: wait,
  })
  expect(slept).toContain('tags.test.ts: 1 where 0 may be (line 1): use until()')
  expect(slept).not.toContain('tags.jobs.ts')
  // a fixed exception is reported too, until its number is lowered
  expect(slept).toContain('lower the number')
})

test('a text is not sliced in the middle of a character', async () => {
  const path = `${features}/tags/tags.queries.ts`
  const told = (text: string, at = path) => breaches(wholeTexts, { [at]: text })
  for (const text of [
    'name.trim().slice(0, 50)',
    'body\n  .slice(0, MOST)',
    'name.substring(2, 5)',
    '(a || b).slice(0, 9)',
  ])
    expect(await told(text), text).toContain('use cut()')
  for (const text of [
    'rows.slice(0, size)',
    'now.toISOString().slice(0, 10)',
    'body.slice(4)',
    "digest('hex').slice(0, 8)",
  ])
    expect(await told(text), text).toBe('')
  expect(await told('name.slice(0, 5)', `${features}/tags/tags.test.ts`)).toBe('')
})
