import { campaignSetupChannel } from '@balcao/contract/campaignSetups.ts'
import { admins, everyone, oneUser, publish } from '../../platform/live/live.ts'
import { setupChanged } from './campaignSetups.events.ts'

export const live = [
  publish(setupChanged, (companyId, news, push) => {
    if (news.action === 'delete') return push(campaignSetupChannel, everyone(companyId), news)
    const { campaignSetup } = news
    const owner = campaignSetup.userId === null ? [] : [oneUser(companyId, campaignSetup.userId)]
    const knowing = [admins(companyId), ...owner]
    push(campaignSetupChannel, knowing, news)
    const others = { ...news, campaignSetup: { ...campaignSetup, id: campaignSetup.handle } }
    push(campaignSetupChannel, everyone(companyId), others, knowing)
  }),
]
