import { type SystemAction, systemControl } from '@balcao/contract/systemControl.ts'
import type { Platform } from '../../platform/app.ts'
import { serve } from '../../platform/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { rowsFrom, sql as tag } from '../../platform/sql.ts'
import { VERSION } from '../../platform/version.ts'
import { reprocessAll } from '../messageLogs/messageLogs.actions.ts'
import { runCommand } from './systemControl.commands.ts'
import { machineNow } from './systemControl.machine.ts'
import { listProcesses } from './systemControl.queries.ts'
import { repair } from './systemControl.repair.ts'

async function act(platform: Platform, host: PlatformScope, action: SystemAction, userId: number) {
  switch (action) {
    case 'getPm2Info':
      return { pm2Info: await host.transaction(listProcesses) }
    case 'getSystemResources':
      return { systemInfo: await machineNow(platform.config) }
    case 'diagnostic':
      return { versions: await versions(host), queues: await platform.jobs.standing() }
    case 'reprocessRecentMessages':
      await reprocessAll(host)
      return {}
    case 'restart':
    case 'update':
      return { isConfigured: runCommand(platform, action, userId) }
  }
}

const versions = (host: PlatformScope) =>
  host.transaction(async sql => {
    const rows = await rowsFrom<{ version: string }>(
      sql,
      tag`select current_setting('server_version') as version`,
    )
    return { product: VERSION, node: process.versions.node, database: rows[0]!.version }
  })

export const routes = [
  serve(systemControl.act, (scope, { body }, { platform }) =>
    act(platform, platform.scopes.platform(scope.requestId), body.action, scope.viewer!.id),
  ),
  serve(systemControl.adjustDb, async (scope, _input, { platform }) => {
    const found = await repair(platform.database, platform.scopes.platform(scope.requestId))
    platform.log.warn({ userId: scope.viewer!.id, ...found }, 'the operator had the counts computed again')
    return { ok: true as const, found }
  }),
  serve(systemControl.queues, (_scope, _input, { platform }) => platform.jobs.standing()),
  serve(systemControl.retryFailed, async (_scope, { params }, { platform }) => ({
    retried: await platform.jobs.retryFailed(params.name),
  })),
]
