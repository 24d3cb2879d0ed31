import { z } from 'zod'
import type { Answer, Call } from './call.ts'
import { read } from './reading.ts'
import type { State } from './state.ts'
import { strangeToken } from './token.ts'

const Asked = z.object({ input_token: z.string() })

/** Permissions and expiry of a token. An invalid one is reported as such, with 200. */
export function debugToken(state: State, { params, token: asking }: Call): Answer {
  const { input_token: value } = read(Asked, params)
  const token = state.tokens.get(value)
  const problem = !token || token.app !== asking.app ? strangeToken() : token.problem()
  const error = problem && {
    error: {
      code: 190,
      message: problem.message,
      ...(problem.about.subcode ? { subcode: problem.about.subcode } : {}),
    },
  }
  if (!token || token.app !== asking.app)
    return { status: 200, body: { data: { ...error, is_valid: false, scopes: [] } } }
  const scopes = [...token.permissions]
  const seconds = (ms: number | null) => (ms === null ? 0 : Math.floor(ms / 1000))
  const data = {
    ...error,
    app_id: token.app.id,
    type: 'SYSTEM_USER',
    application: token.app.name,
    data_access_expires_at: 0,
    expires_at: seconds(token.expiresAt),
    is_valid: !problem,
    issued_at: seconds(token.issuedAt),
    scopes: problem ? [] : scopes,
    granular_scopes: scopes.map(scope => ({ scope, target_ids: [...token.accounts].map(({ id }) => id) })),
  }
  return { status: 200, body: { data } }
}
