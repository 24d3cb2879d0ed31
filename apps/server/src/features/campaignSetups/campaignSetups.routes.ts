import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { shownSetup } from '@balcao/contract/campaigns.rules.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  addCampaignSetup,
  changeCampaignSetup,
  removeCampaignSetup,
  showSetupSecret,
} from './campaignSetups.actions.ts'
import { findCampaignSetup, listCampaignSetups, requireCampaigns } from './campaignSetups.queries.ts'

export const routes = [
  serve(campaignSetups.list, (scope, { query }) =>
    scope.list(async tx => {
      await requireCampaigns(tx)
      const { campaignSetups: rows, hasMore } = await listCampaignSetups(tx, query)
      return { campaignSetups: rows.map(row => shownSetup(tx.viewer, row)), hasMore }
    }),
  ),
  serve(campaignSetups.show, (scope, { params }) =>
    scope.read(async tx => {
      await requireCampaigns(tx)
      return shownSetup(tx.viewer, await findCampaignSetup(tx, params.setupId))
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
