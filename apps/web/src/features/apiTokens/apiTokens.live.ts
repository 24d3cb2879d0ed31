import { apiTokenChannel } from '@balcao/contract/apiTokens.ts'
import { followList } from '../../platform/lists.ts'

export const API_TOKENS = ['apiSendMessageTokens']

export const followApiTokens = () => followList(apiTokenChannel, API_TOKENS)
