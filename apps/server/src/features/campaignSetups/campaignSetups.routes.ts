import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { serve } from '../../platform/routes.ts'
import {
  addCampaignSetup,
  changeCampaignSetup,
  removeCampaignSetup,
  showSetupSecret,
} from './campaignSetups.actions.ts'
import { askCampaigns, findCampaignSetup, listCampaignSetups } from './campaignSetups.queries.ts'

export const routes = [
  serve(campaignSetups.list, (scope, { query }) =>
    scope.list(async tx => {
      await askCampaigns(tx)
      return listCampaignSetups(tx, query)
    }),
  ),
  serve(campaignSetups.show, (scope, { params }) =>
    scope.read(async tx => {
      await askCampaigns(tx)
      return findCampaignSetup(tx, params.setupId)
    }),
  ),
  serve(campaignSetups.create, (scope, { body }) => addCampaignSetup(scope, body)),
  serve(campaignSetups.change, (scope, { params, body }) => changeCampaignSetup(scope, params.setupId, body)),
  serve(campaignSetups.remove, async (scope, { params }) => {
    await removeCampaignSetup(scope, params.setupId)
    return {}
  }),
  serve(campaignSetups.showSecret, (scope, { params }, { platform }) =>
    showSetupSecret(scope, params.setupId, platform.secrets),
  ),
]
