import type { ChannelConnection } from '../src/channels/connection.ts'
import type { Platform } from '../src/platform/app.ts'

/** A connection that no process runs, as what works on one sees it: its fence holds unless `more` has another. */
export function connectionOf(
  platform: Platform,
  { companyId, whatsappId }: { companyId: number; whatsappId: number },
  more: Partial<ChannelConnection> = {},
): ChannelConnection {
  const scope = platform.scopes.inCompany(companyId)
  const fence = more.fence ?? (async () => {})
  const connection: Partial<ChannelConnection> = {
    ...{ platform, scope, whatsappId, fence, log: platform.log },
    lease: { companyId, whatsappId, epoch: 1, until: Number.POSITIVE_INFINITY },
    write: work =>
      scope.transaction(async tx => {
        await fence(tx)
        return work(tx)
      }),
    isReady: session => session.ready(),
    follow: work => work,
    wake() {},
    fetching: { pictures: new Set(), files: new Set() },
    ...more,
  }
  return connection as ChannelConnection
}
