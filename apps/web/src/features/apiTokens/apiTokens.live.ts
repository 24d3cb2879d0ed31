import { apiTokenChannel } from '@balcao/contract/apiTokens.ts'
import { followList } from '../../platform/lists.ts'
import { API_TOKENS } from './apiTokens.api.ts'

export const followApiTokens = () => followList(apiTokenChannel, API_TOKENS)
