import type { ChannelSession, SessionHost } from '../../driver.ts'
import { openGraph } from '../../features/cloud/cloud.client.ts'
import type { Platform } from '../../platform/app.ts'
import { closedSession } from './closed.ts'
import { CloudSession, type Shared } from './session.ts'
import { openStore } from './store.ts'

export async function openCloudSession(
  host: SessionHost,
  platform: Platform,
  shared: Shared,
): Promise<ChannelSession> {
  const store = openStore(platform, host)
  const settings = await store.settings()
  if (!settings) {
    await host.report({ status: 'DISCONNECTED', statusReason: 'ERR_WAPP_CLOUD_TOKEN' })
    return closedSession
  }
  const { graphApiUrl: url, outboundAllow } = platform.config
  const graph = openGraph({
    ...{ url, outboundAllow, token: settings.accessToken },
    ...{ calls: platform.outbound.calls, companyId: host.companyId },
  })
  return new CloudSession(host, platform, { store, graph, settings, ...shared })
}
