import { z } from 'zod'
import { id, instant, route } from './kit.ts'

/** What programs call with in a user's name: an API token, or the id of a campaign setup. */
export const SecretKind = z.enum(['apiToken', 'campaignSetup'])
export type SecretKind = z.infer<typeof SecretKind>

/** What a program asked for: to send, how far a message got, or a campaign. */
export const SecretCall = z.enum(['send', 'status', 'campaign'])
export type SecretCall = z.infer<typeof SecretCall>

/** Calls of one kind with one secret from one network, refused ones too. */
export const SecretUse = z.object({
  kind: SecretKind,
  /** The name that the secret had at its last call. */
  name: z.string(),
  call: SecretCall,
  /** An IPv4 address, or the first half of an IPv6 address; `*` for further ones of a user who was called for from many. */
  network: z.string(),
  times: z.int(),
  since: instant,
  lastAt: instant,
})
export type SecretUse = z.infer<typeof SecretUse>

/** So many records a user has at most. */
export const MOST_USES = 200

export const secretUses = {
  list: route('GET', '/users/:userId/secretUses', {
    needs: 'administration',
    summary:
      'What programs did in the name of a user within 90 days, by secret, kind of call and network, the last first.',
    params: z.object({ userId: id }),
    reply: z.object({ uses: z.array(SecretUse) }),
  }),
}
