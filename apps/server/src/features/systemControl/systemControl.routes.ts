import { type SystemAction, systemControl } from '@balcao/contract/systemControl.ts'
import type { Platform } from '../../platform/app.ts'
import { serve } from '../../platform/http/routes.ts'
import { VERSION } from '../../platform/observe/version.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { reprocessAll } from '../messageLogs/messageLogs.actions.ts'
import { repair, runCommand } from './systemControl.actions.ts'
import { machineNow } from './systemControl.machine.client.ts'
import { databaseVersion, listProcesses } from './systemControl.queries.ts'

async function act(platform: Platform, host: PlatformScope, action: SystemAction, userId: number) {
  switch (action) {
    case 'getPm2Info':
      return { pm2Info: await host.transaction(listProcesses) }
    case 'getSystemResources':
      return { systemInfo: await machineNow(platform) }
    case 'diagnostic':
      return { versions: await versions(host), queues: await platform.jobs.queues() }
    case 'reprocessRecentMessages':
      await reprocessAll(host)
      return {}
    case 'restart':
    case 'update':
      return { isConfigured: runCommand(platform, action, userId) }
  }
}

const versions = async (host: PlatformScope) => ({
  product: VERSION,
  node: process.versions.node,
  database: await host.transaction(databaseVersion),
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
  serve(systemControl.queues, (_scope, _input, { platform }) => platform.jobs.queues()),
  serve(systemControl.retryFailed, async (_scope, { params }, { platform }) => ({
    retried: await platform.jobs.retryFailed(params.name),
  })),
]
