import { type ApiSendMessageToken, type ApiTokenInput, apiTokens } from '@balcao/contract/apiTokens.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { ownStore } from '../../platform/person.ts'
import { askAgain } from '../../platform/query.ts'
import { API_TOKENS } from './apiTokens.live.ts'

export const apiTokenList = pagedList(apiTokens.list, 'apiSendMessageTokens')

/** A token just made or renewed, until it has been shown. */
export const tokenToShow = ownStore<ApiSendMessageToken | null>(null)

/** Creates a token or changes one; the list is refetched even if the token is gone. Throws ApiError. */
export async function saveApiToken(tokenId: string | null, body: ApiTokenInput, seen?: Seen): Promise<void> {
  const saved =
    tokenId === null
      ? call(apiTokens.create, { body })
      : call(apiTokens.change, { params: { tokenId }, body, seen })
  const token = await saved.finally(() => askAgain({ queryKey: API_TOKENS }))
  if (tokenId === null) tokenToShow.write(token)
}

/** Gives it another id. Throws ApiError. */
export async function renewApiToken(tokenId: string): Promise<void> {
  tokenToShow.write(await call(apiTokens.renew, { params: { tokenId } }))
  await askAgain({ queryKey: API_TOKENS })
}

/** Throws ApiError. */
export async function revokeApiToken(tokenId: string): Promise<void> {
  await call(apiTokens.remove, { params: { tokenId } })
  await askAgain({ queryKey: API_TOKENS })
}
