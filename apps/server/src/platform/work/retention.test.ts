import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../../testing/test-app.ts'
import { features } from '../../features.ts'
import { itemsOf } from '../../platform/features.ts'
import { getTableName, rowsFrom, sql as tag } from '../postgres/sql.ts'
import { forgettingOld } from './retention.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const lifetimes = itemsOf(features, 'lifetime')
const page = readFileSync(new URL('../../../../../docs/growth.md', import.meta.url), 'utf8')
/** The rows of the page's tables that begin with the name of one of our tables, and the text after it. */
const named = new Map(
  [...page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name, kept]) => [name!, kept!.trim()]),
)
const ask = <Row>(statement: ReturnType<typeof tag.raw>) =>
  app.database.transaction('', sql => rowsFrom<Row>(sql, statement))

test('each table of the database has a lifetime in docs/growth.md, or the reason why its rows stay', async () => {
  const tables = await ask<{ name: string }>(
    tag.raw(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    ),
  )
  const names = tables.map(({ name }) => name).filter(name => name !== 'migrations' && name !== 'file_places')
  expect([...named.keys()].toSorted()).toEqual(names.toSorted())
})

test('the lifetimes of the page are those that are kept', () => {
  expect(lifetimes.length).toBeGreaterThan(4)
  for (const { table, days } of lifetimes)
    expect(named.get(getTableName(table)), getTableName(table)).toMatch(new RegExp(`^${days} days`))
})

test('each night what is older than its lifetime goes, some thousand rows a commit; what is under way stays', async () => {
  const [forget, script] = [forgettingOld(lifetimes), app.database.script]
  // the rows alone, without what they hang on
  await script(`
    set session_replication_role = replica;
    insert into bot_calls (company_id, id, bot_setup_id, command_id, number, url, body, state, created_at, due_at)
      select 2, gen_random_uuid(), 1, 1, '1', 'https://a.test', '{}', 'delivered', now() - interval '91 days', null
      from generate_series(1, 5001);
    insert into bot_calls (company_id, id, bot_setup_id, command_id, number, url, body, state, created_at, due_at) values
      (2, gen_random_uuid(), 1, 1, 'young', 'https://a.test', '{}', 'delivered', now() - interval '89 days', null),
      (2, gen_random_uuid(), 1, 1, 'waits', 'https://a.test', '{}', 'waiting', now() - interval '91 days', now() + interval '1 day');
    insert into flow_runs (company_id, ticket_id, flow_id, name, cause, started_at, ends_at, ended_at) values
      (2, 1, 1, 'old', 'a', now(), now(), now() - interval '91 days'), (2, 1, 1, 'played', 'b', now(), now() + interval '1 hour', null);
    insert into gpt_dialogs (company_id, ticket_id, bot_config_id, from_position, ended_at) values
      (2, 1, 1, 1, now() - interval '91 days'), (2, 2, 1, 2, null);
    insert into gpt_answers (company_id, bot_config_id, model, ms, outcome, at) values
      (2, 1, 'old', 1, 'answered', now() - interval '731 days'), (2, 1, 'young', 1, 'answered', now() - interval '729 days');
    insert into cloud_sent (company_id, whatsapp_id, external_id, asked_at) values
      (2, 1, 'old', now() - interval '366 days'), (2, 1, 'young', now() - interval '364 days')`)
  await forget.run(app.platform.scopes, app.platform.config, app.platform)
  const left = await ask<{ what: string }>(
    tag.raw(`select number as what from bot_calls union all select name from flow_runs
      union all select 'dialog ' || from_position from gpt_dialogs union all select model from gpt_answers
      union all select 'sent ' || external_id from cloud_sent where external_id in ('old', 'young')`),
  )
  expect(left.map(({ what }) => what).toSorted()).toEqual(
    ['dialog 2', 'played', 'sent young', 'waits', 'young', 'young'].toSorted(),
  )
})
