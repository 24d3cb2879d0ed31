import { SIGN_UP_PATH } from '@balcao/contract/cloud.ts'
import type { Config } from '../../platform/config.ts'
import { refuse } from '../../platform/errors.ts'
import { type Graph, GraphRefusal, GraphSilence, openGraph } from './cloud.client.ts'

/** What a sign-up gives access to. */
export interface SignedUp {
  accessToken: string
  businessAccountId: string
  phoneNumberId: string
  digits: string
  name: string
  /** The number stays in the WhatsApp Business app of a phone ("Coexistence"). */
  isOnApp: boolean
}

interface GraphNumber {
  id: string
  display_phone_number?: string
  verified_name?: string
  is_on_biz_app?: boolean
  platform_type?: string
}

const NUMBER_FIELDS = 'id,display_phone_number,verified_name,is_on_biz_app,platform_type'
/** How many accounts and numbers of one sign-up are looked at. */
const MOST = 20

/**
 * Exchanges the code of the embedded sign-up, and finds the number that it gives access to: of several the one that `choose`
 * answers. A number that is on no phone is registered with the PIN. Refuses with ERR_WAPP_SIGN_UP,
 * ERR_WAPP_CLOUD_PIN, ERR_WAPP_CLOUD_CALL. Meta: "Onboarding business customers as a Tech Provider".
 */
export async function finishSignUp(
  config: Config,
  { code, pin }: { code: string; pin?: string | undefined },
  choose: (phoneNumberIds: string[]) => Promise<string | undefined>,
): Promise<SignedUp> {
  const { metaAppId: client_id, metaAppSecret: client_secret, backendUrl, graphApiUrl: url } = config
  if (!client_id || !client_secret) return refuse('ERR_WAPP_UNSUPPORTED')
  const { outboundAllow, drill } = config
  const app = openGraph({ url, outboundAllow, drill, token: `${client_id}|${client_secret}` })
  const opened: Graph[] = [app]
  try {
    const redirect_uri = backendUrl + SIGN_UP_PATH
    const given = { client_id, client_secret, redirect_uri, code }
    const { access_token: accessToken } = await app.post<{ access_token: string }>(
      'oauth/access_token',
      given,
    )
    const own = openGraph({ url, outboundAllow, drill, token: accessToken })
    opened.push(own)
    const numbers = await numbersOf(own, await accountsOf(app, accessToken, client_id))
    const chosenId = await choose(numbers.map(({ number }) => number.id))
    const chosen = numbers.find(({ number }) => number.id === chosenId)
    if (!chosen) return refuse('ERR_WAPP_SIGN_UP')
    const { number, businessAccountId } = chosen
    const isOnApp = number.is_on_biz_app === true
    if (!isOnApp && number.platform_type !== 'CLOUD_API') await register(own, number.id, pin)
    const digits = (number.display_phone_number ?? '').replace(/\D/g, '')
    const name = number.verified_name ?? ''
    return { accessToken, businessAccountId, phoneNumberId: number.id, digits, name, isOnApp }
  } catch (error) {
    if (error instanceof GraphRefusal) return refuse('ERR_WAPP_SIGN_UP', { message: error.message })
    if (error instanceof GraphSilence) return refuse('ERR_WAPP_CLOUD_CALL')
    throw error
  } finally {
    for (const graph of opened) void graph.close()
  }
}

/** The WhatsApp accounts that a token reaches, by what Meta says of it; it must be one of this app. */
async function accountsOf(app: Graph, token: string, appId: string): Promise<string[]> {
  const { data } = await app.get<{
    data?: { app_id?: string; granular_scopes?: { scope?: string; target_ids?: string[] }[] }
  }>('debug_token', { input_token: token })
  if (data?.app_id !== appId) return refuse('ERR_WAPP_SIGN_UP')
  const granted = data.granular_scopes?.find(({ scope }) => scope === 'whatsapp_business_management')
  return (granted?.target_ids ?? []).filter((_, at) => at < MOST)
}

async function numbersOf(graph: Graph, accountIds: string[]) {
  const found: { businessAccountId: string; number: GraphNumber }[] = []
  for (const businessAccountId of accountIds) {
    const query = { fields: NUMBER_FIELDS, limit: `${MOST}` }
    const { data } = await graph.get<{ data: GraphNumber[] }>(`${businessAccountId}/phone_numbers`, query)
    found.push(...data.map(number => ({ businessAccountId, number })))
  }
  return found
}

/** Two-step verification PIN mismatch. */
const OTHER_PIN = 133005

async function register(graph: Graph, phoneNumberId: string, pin: string | undefined): Promise<void> {
  if (!pin) return refuse('ERR_WAPP_CLOUD_PIN', { field: 'pin' })
  await graph.post(`${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin }).catch(error => {
    if (error instanceof GraphRefusal && error.code === OTHER_PIN)
      return refuse('ERR_WAPP_CLOUD_PIN', { field: 'pin' })
    throw error
  })
}
