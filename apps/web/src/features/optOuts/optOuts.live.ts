import { optOutChannel } from '@balcao/contract/optOuts.ts'
import { followList } from '../../platform/lists.ts'

export const OPT_OUTS = ['optOuts']

export const followOptOuts = () => followList(optOutChannel, OPT_OUTS)
