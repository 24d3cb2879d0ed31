import { z } from 'zod'
import type { Answer, Call } from './call.ts'
import { complaintAbout } from './callback.ts'
import { pick } from './fields.ts'
import { GraphError, refusal } from './graph-error.ts'
import type { PhoneNumber } from './phone-number.ts'
import { read } from './reading.ts'

const USUAL = [
  'verified_name',
  'code_verification_status',
  'display_phone_number',
  'quality_rating',
  'platform_type',
  'throughput',
]

export const describeNumber = (number: PhoneNumber, call: Call): Answer => ({
  status: 200,
  body: pick(call, without(fieldsOf(number), number.lacks), USUAL),
})

const without = (fields: Record<string, unknown>, lacking: Set<string>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !lacking.has(name)))

/** The health of a number, as Meta names it. */
export function fieldsOf(number: PhoneNumber): Record<string, unknown> {
  return {
    id: number.id,
    verified_name: number.name,
    code_verification_status: 'VERIFIED',
    display_phone_number: `+${number.digits}`,
    quality_rating: number.quality,
    platform_type: number.registered ? 'CLOUD_API' : 'NOT_APPLICABLE',
    throughput: { level: number.throughput },
    name_status: number.nameStatus,
    status: number.registered ? number.status : 'PENDING',
    account_mode: number.allowed ? 'SANDBOX' : 'LIVE',
    whatsapp_business_manager_messaging_limit: number.limit,
    messaging_limit_tier: number.limit,
    is_on_biz_app: number.coexistence,
    is_official_business_account: false,
    is_pin_enabled: number.pin !== undefined,
    webhook_configuration: webhooksOf(number),
  }
}

function webhooksOf(number: PhoneNumber) {
  const [app, own] = [...number.account.subscribers][0] ?? []
  return {
    ...(number.callback ? { phone_number: number.callback.url } : {}),
    ...(own ? { whatsapp_business_account: own.url } : {}),
    ...(app?.callback ? { application: app.callback.url } : {}),
  }
}

const Change = z.object({
  pin: z
    .string()
    .regex(/^\d{6}$/)
    .optional(),
  webhook_configuration: z
    .object({ override_callback_uri: z.string(), verify_token: z.string().optional() })
    .optional(),
})

/** Sets the PIN, or the webhook address of this number; an empty address removes it. */
export async function changeNumber(number: PhoneNumber, { params }: Call): Promise<Answer> {
  const { pin, webhook_configuration: webhooks } = read(Change, params)
  if (pin) number.pin = pin
  if (webhooks?.override_callback_uri === '') number.callback = undefined
  else if (webhooks) {
    const callback = { url: webhooks.override_callback_uri, verifyToken: webhooks.verify_token ?? '' }
    const complaint = await complaintAbout(number.state, callback)
    if (complaint) throw new GraphError(`(#2200) ${complaint}`, { status: 400, code: 2200 })
    number.callback = callback
  }
  return { status: 200, body: { success: true } }
}

const Registration = z.object({ messaging_product: z.literal('whatsapp'), pin: z.string().regex(/^\d{6}$/) })
const THREE_DAYS = 72 * 3_600_000

/** Throws 133005 for a wrong PIN, and 133016 the eleventh time in 72 hours. */
export function register(number: PhoneNumber, { params }: Call): Answer {
  const { pin } = read(Registration, params)
  if (number.coexistence) throw refusal(131009, 'The number is registered by the WhatsApp Business app')
  const now = number.state.clock.now()
  number.registrations = number.registrations.filter(at => at > now - THREE_DAYS)
  if (number.registrations.length >= 10) throw refusal(133016)
  number.registrations.push(now)
  if (number.pin !== undefined && number.pin !== pin) throw refusal(133005)
  number.pin = pin
  number.registered = true
  return { status: 200, body: { success: true } }
}

export function deregister(number: PhoneNumber): Answer {
  if (!number.registered) throw refusal(133010)
  number.registered = false
  return { status: 200, body: { success: true } }
}
