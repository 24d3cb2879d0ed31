import { z } from 'zod'
import type { Account } from './account.ts'
import type { Answer, Call } from './call.ts'
import { complaintAbout } from './callback.ts'
import { GraphError } from './graph-error.ts'
import { read } from './reading.ts'

const Subscription = z.object({
  override_callback_uri: z.string().optional(),
  verify_token: z.string().optional(),
})

/** Subscribes the token's app to this account, at an address of its own if it names one. */
export async function subscribe(account: Account, { params, token }: Call): Promise<Answer> {
  const { override_callback_uri: url, verify_token: verifyToken = '' } = read(Subscription, params)
  const callback = url ? { url, verifyToken } : undefined
  const complaint = callback && (await complaintAbout(account.state, callback))
  if (complaint) throw new GraphError(`(#2200) ${complaint}`, { status: 400, code: 2200 })
  account.subscribers.set(token.app, callback)
  return { status: 200, body: { success: true } }
}

export function unsubscribe(account: Account, { token }: Call): Answer {
  account.subscribers.delete(token.app)
  return { status: 200, body: { success: true } }
}

export function listSubscriptions(account: Account): Answer {
  const data = [...account.subscribers].map(([app, own]) => ({
    whatsapp_business_api_data: {
      id: app.id,
      name: app.name,
      link: `https://www.facebook.com/games/?app_id=${app.id}`,
    },
    ...(own ? { override_callback_uri: own.url } : {}),
  }))
  return { status: 200, body: { data } }
}
