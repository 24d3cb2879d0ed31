import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../apps/server/src/platform/postgres/db.ts'
import { visitEmbedded } from '../apps/server/src/platform/postgres/embedded/embedded.ts'
import { migrate } from '../apps/server/src/platform/postgres/migrate.ts'
import { childrenMegabytes, childrenSeconds } from '../bin/processor.ts'
import { SECRET } from './place.ts'
import { pause, startProduct } from './product.ts'
import type { Single } from './report.ts'

const SECONDS = 30
/** What a start leaves to be done behind it. */
const SETTLING_MS = 20_000

/** Of a core, by the number of connections. */
const TARGETS = [
  [50, 2],
  [1_000, 15],
] as const
const MOST_STATEMENTS = 8

/** Many simulated connections on which nothing happens, with the embedded database: all processes together. */
export async function measureRest(): Promise<Single[]> {
  const singles: Single[] = []
  for (const [connections, most] of TARGETS) {
    const { statements, processor, megabytes } = await restWith(connections)
    console.log(`  ${connections} connections at rest: ${megabytes?.toFixed(0)} MB`)
    singles.push(
      {
        name: `statements a second at rest, ${connections} connections`,
        value: statements.toFixed(1),
        target: `≤ ${MOST_STATEMENTS}`,
        met: statements <= MOST_STATEMENTS,
      },
      {
        name: `processor at rest, ${connections} connections, all processes`,
        value: processor === null ? 'not measured' : `${processor.toFixed(1)} % of a core`,
        target: `≤ ${most} % of a core`,
        met: processor !== null && processor <= most,
      },
    )
  }
  return singles
}

async function restWith(connections: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'balcao-bench-rest-'))
  try {
    await fill(dataDir, connections)
    const product = await startProduct({ DATA_DIR: dataDir, JWT_SECRET: SECRET })
    const begun = performance.now()
    while ((await product.metric('balcao_connections{state="CONNECTED",lib="simulator"}')) < connections)
      await pause(250)
    console.log(
      `  ${connections} connections open after ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
    )
    await pause(SETTLING_MS)
    const asked = () => product.metric('database_statements_total')
    const [before, used] = [await asked(), childrenSeconds()]
    await pause(SECONDS * 1_000)
    const [after, usedAfter, megabytes] = [await asked(), childrenSeconds(), childrenMegabytes()]
    await product.stop()
    const processor = used === null || usedAfter === null ? null : ((usedAfter - used) / SECONDS) * 100
    return { statements: (after - before) / SECONDS, processor, megabytes }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Ten connections a company. */
async function fill(dataDir: string, connections: number) {
  const { url, close } = await visitEmbedded(dataDir, { make: true })
  const database = openDatabase(url, 2)
  await migrate(database)
  await database.script(`
    insert into companies (id, name, company_name, email, number_attendants, number_conections)
      select c, 'Empresa ' || c, 'Empresa ' || c || ' Ltda', 'empresa' || c || '@bench.test', 100, 10
      from generate_series(1, ${Math.ceil(connections / 10)}) c;
    insert into whatsapps (id, company_id, name, lib, status, is_default, number, wanted, wanted_order)
      select w, 1 + (w - 1) / 10, 'Linha ' || w, 'simulator', 'DISCONNECTED', w % 10 = 1, '5511300' || lpad(w::text, 5, '0'), 'on', 1
      from generate_series(1, ${connections}) w;
    select setval('companies_id_seq', ${connections}), setval('whatsapps_id_seq', ${connections})`)
  await database.close()
  await close()
}
