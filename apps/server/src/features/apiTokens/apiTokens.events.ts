import type { apiTokenChannel } from '@balcao/contract/apiTokens.ts'
import type { Push } from '@balcao/contract/kit.ts'
import { event } from '../../platform/events.ts'

export const apiTokensChanged = event<Push<typeof apiTokenChannel>>('apiTokens.changed')
