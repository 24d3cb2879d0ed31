import { cut } from '@balcao/contract/cut.rules.ts'
import type { ErrorCode } from '@balcao/contract/errors.ts'

/** It cannot be sent over the official API at all. */
export class Unsendable extends Error {
  readonly reason: ErrorCode
  constructor(reason: ErrorCode) {
    super(reason)
    this.reason = reason
  }
}

/** What is done about a refusal of Meta's; nothing of it was carried out. */
export type Policy =
  /** It will never leave like this. */
  | 'refuse'
  /** A moment later the same may succeed. */
  | 'again'
  /** The whole number sends too fast. */
  | 'slow'
  /** This one person gets too much at once. */
  | 'pair'
  /** The token is no good any more: an admin has to give another. */
  | 'auth'
  /** Meta holds the account: an admin has to look. */
  | 'blocked'

type Rule = [policy: Policy, reason: ErrorCode | null, codes: number[]]

/** Meta's page "Error codes"; codes that are not listed are refused with Meta's text. */
const RULES: Rule[] = [
  ['auth', 'ERR_WAPP_CLOUD_TOKEN', [0, 3, 10, 190, 131005]],
  ['slow', 'ERR_WAPP_TOO_MANY', [4, 80007, 130429, 133016]],
  ['pair', 'ERR_WAPP_TOO_MANY', [131056]],
  ['again', 'ERR_WAPP_CLOUD_CALL', [1, 2, 131000, 131016, 131057, 133004]],
  ['blocked', 'ERR_WAPP_CLOUD_BLOCKED', [368, 131031, 131048, 131064, 130497, 131045, 133010]],
  ['blocked', 'ERR_WAPP_CLOUD_PAYMENT', [131042]],
  ['refuse', 'ERR_WAPP_WINDOW_CLOSED', [131047]],
  ['refuse', 'ERR_WAPP_INVALID_CONTACT', [131021, 131026, 131030, 131062, 130403]],
  ['refuse', 'ERR_WAPP_MARKETING_LIMIT', [131049]],
  ['refuse', 'ERR_WAPP_NOT_DELIVERED', [131050, 130472]],
  ['refuse', 'ERR_WAPP_DOWNLOAD_MEDIA', [131052]],
  ['refuse', 'ERR_FILE_TYPE', [131053]],
  [
    'refuse',
    'ERR_WAPP_TEMPLATE',
    [132000, 132001, 132005, 132007, 132008, 132012, 132015, 132016, 132068, 132069],
  ],
]
const known = new Map(
  RULES.flatMap(([policy, reason, codes]) => codes.map(code => [code, { policy, reason }])),
)

/** What to do about a refusal, and its reason for those who wait. */
export function policyOf({ code, status, details, message }: Failure): { policy: Policy; reason: string } {
  const listed = known.get(code)
  const words = cut(`${code} ${details || message}`.trim(), 200)
  if (listed) return { policy: listed.policy, reason: listed.reason ?? words }
  if ((code >= 200 && code <= 299) || status === 401)
    return { policy: 'auth', reason: 'ERR_WAPP_CLOUD_TOKEN' }
  if (status === 429) return { policy: 'slow', reason: 'ERR_WAPP_TOO_MANY' }
  if (status >= 500) return { policy: 'again', reason: words }
  return { policy: 'refuse', reason: words }
}

interface Failure {
  code: number
  status: number
  message: string
  details: string
}

/** Why a message failed that was accepted at first, by its status. */
export function lateReason(error: LateError | undefined): string {
  const { code = 0, title = '', error_data: data } = error ?? {}
  return policyOf({ code, status: 400, message: title, details: data?.details ?? '' }).reason
}

export interface LateError {
  code?: number
  title?: string
  error_data?: { details?: string }
}
