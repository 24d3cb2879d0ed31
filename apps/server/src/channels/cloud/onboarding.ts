import type { Logger } from 'pino'
import { type Graph, GraphRefusal } from '../../features/cloud/cloud.client.ts'
import { type CloudRow, WEBHOOK_PATH } from '../../features/connections/connections.rules.ts'
import { policyOf } from './errors.ts'
import type { SessionStore } from './store.ts'

interface Deps {
  graph: Graph
  store: Pick<SessionStore, 'setSignUp'>
  settings: CloudRow
  /** Public address of this installation. */
  backendUrl: string
  /** The operator's app, which the sign-up uses. */
  appId: string | null
  log: Logger
}

interface Subscription {
  whatsapp_business_api_data?: { id?: string }
  override_callback_uri?: string
}

/**
 * Without a subscription Meta sends no webhooks. Those of a number that was signed up come to its own address, which precedes
 * that of the account and of the app (page "Webhook overrides"): other numbers of the account may belong to other companies.
 */
export async function subscribe({ graph, settings, backendUrl, appId }: Deps): Promise<void> {
  const { businessAccountId, phoneNumberId, signUp, webhookKey, verifyToken } = settings
  const path = `${businessAccountId}/subscribed_apps`
  const { data = [] } = await graph.get<{ data?: Subscription[] }>(path)
  // Meta lists those of all apps
  const own = data.filter(one => !signUp || one.whatsapp_business_api_data?.id === appId)
  // a subscription without an address would remove one that leads here
  if (!own.some(one => one.override_callback_uri?.includes(WEBHOOK_PATH))) await graph.post(path, {})
  if (!signUp || !backendUrl) return
  const webhook_configuration = {
    override_callback_uri: `${backendUrl}${WEBHOOK_PATH}/${webhookKey}`,
    verify_token: verifyToken,
  }
  await graph.post(phoneNumberId, { webhook_configuration })
}

/**
 * Asks the phone's app for its address book and its history, each once, in the day after the sign-up (Meta: "Onboard WhatsApp
 * Business app users"). What was asked before a process died is refused, which is no failure.
 */
export async function syncApp({ graph, store, settings, log }: Deps): Promise<void> {
  const request = (sync_type: string) =>
    graph
      .post(`${settings.phoneNumberId}/smb_app_data`, { messaging_product: 'whatsapp', sync_type })
      .catch(error => {
        if (!(error instanceof GraphRefusal) || LATER.includes(policyOf(error).policy)) throw error
        log.warn({ sync: sync_type, why: error.message }, 'Meta does not send what the app of the phone has')
      })
  if (settings.signUp === 'contacts') {
    await request('smb_app_state_sync')
    settings.signUp = 'history'
    await store.setSignUp('history')
  }
  if (settings.signUp !== 'history') return
  await request('history')
  settings.signUp = 'done'
  await store.setSignUp('done')
}

const LATER = ['again', 'slow', 'rest', 'auth']
