import { apiTokenChannel } from '@balcao/contract/apiTokens.ts'
import { pushList } from '../../platform/live/live.ts'
import { apiTokensChanged } from './apiTokens.events.ts'

export const live = [pushList(apiTokenChannel, apiTokensChanged)]
