import { Lack, type Overview, type SystemAction, systemControl } from '@balcao/contract/systemControl.ts'
import type { Platform } from '../../platform/app.ts'
import { serve } from '../../platform/http/routes.ts'
import { thisBuild } from '../../platform/observe/build.ts'
import { VERSION } from '../../platform/observe/version.ts'
import { keptBackups } from '../../platform/postgres/embedded/nightly.ts'
import { type PlatformScope, viewerOf } from '../../platform/scope.ts'
import { sealedBackups } from '../backups/backups.actions.ts'
import { reprocessAll } from '../messageLogs/messageLogs.actions.ts'
import { findUser } from '../users/users.queries.ts'
import { repair, runCommand } from './systemControl.actions.ts'
import { machineNow } from './systemControl.machine.client.ts'
import { newerVersion } from './systemControl.newer.client.ts'
import {
  brokenConnections,
  companySizes,
  failedSendings,
  pricesAndNotices,
} from './systemControl.overview.queries.ts'
import { databaseVersion, listProcesses } from './systemControl.queries.ts'
import { sendTestMail, serversNow } from './systemControl.servers.client.ts'

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

async function overview(platform: Platform, host: PlatformScope): Promise<Overview> {
  const { config } = platform
  const rows = await host.transaction(async sql => ({
    database: await databaseVersion(sql),
    connections: await brokenConnections(sql),
    failures: await failedSendings(sql),
    sealed: await sealedBackups(sql, config),
    ...(await pricesAndNotices(sql)),
  }))
  const { prices, notices, ...found } = rows
  const has: Record<Lack, boolean> = {
    BACKEND_URL: config.backendUrl !== '',
    SMTP_URL: config.smtpUrl !== null,
    BACKUP_TO: config.databaseUrl !== null || config.backupDir !== null || config.backup !== null,
    ...{ prices, notices },
  }
  const [newest] = config.backupDir ? await keptBackups(config.backupDir).catch(() => []) : []
  return {
    ...found,
    ...thisBuild(),
    newer: await newerVersion(platform),
    lacks: Lack.options.filter(lack => !has[lack]),
    backup: newest ? { at: new Date(newest.madeAt).toISOString(), bytes: newest.bytes } : null,
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
  serve(systemControl.overview, (scope, _input, { platform }) =>
    overview(platform, platform.scopes.platform(scope.requestId)),
  ),
  serve(systemControl.companies, async (scope, { query }, { platform }) => {
    const host = platform.scopes.platform(scope.requestId)
    const { rows, hasMore } = await host.transaction(sql => companySizes(sql, query))
    return { companies: rows, hasMore }
  }),
  serve(systemControl.queues, (_scope, _input, { platform }) => platform.jobs.queues()),
  serve(systemControl.servers, async (_scope, _input, { platform }) => serversNow(platform)),
  serve(systemControl.testMail, async (scope, { body }, { platform }) => {
    const { companyId, id } = viewerOf(scope)
    const { email } = await platform.scopes.platform().transaction(sql => findUser(sql, companyId, id))
    await sendTestMail(platform, email, body.language)
    return { to: email }
  }),
  serve(systemControl.retryFailed, async (_scope, { params }, { platform }) => ({
    retried: await platform.jobs.retryFailed(params.name),
  })),
]
