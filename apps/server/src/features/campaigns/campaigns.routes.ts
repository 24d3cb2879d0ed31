import { campaigns } from '@balcao/contract/campaigns.ts'
import { refuse } from '../../platform/errors.ts'
import { type Served, serve, serveToken } from '../../platform/http/routes.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { knownSetup, requireCampaigns } from '../campaignSetups/campaignSetups.queries.ts'
import { countSecretUse } from '../secretUses/secretUses.actions.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { addCampaign, addWhole, changeCampaign, removeCampaign, removeDispatch } from './campaigns.actions.ts'
import { countsOf, findCampaign, findCampaignRow, listCampaigns } from './campaigns.queries.ts'
import { followUp, mendDispatch } from './recipients/followUp.actions.ts'
import { forecastOf, previewsOf, tryCampaign } from './recipients/forecast.actions.ts'
import { addRecipients, clearRecipients, countRecipients } from './recipients/recipients.actions.ts'
import { allContacts, listPicked, ofCategories, ofTags } from './recipients/recipients.queries.ts'
import { exportCampaign, exportSheetTemplate } from './results/results.export.ts'
import {
  campaignOfTicket,
  countButtons,
  countFailures,
  listConclusions,
  listDispatches,
} from './results/results.queries.ts'
import { concludeAgain } from './results/webhooks.worker.ts'
import { processCampaign } from './run/status.actions.ts'

/** What is read where the company has campaigns. */
const looking = <T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> =>
  scope.list(async tx => {
    await requireCampaigns(tx)
    return work(tx)
  })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The bearer is the id of a setup; its call is counted. Refuses with ERR_NO_SESSION. */
const bySetup: NonNullable<Served['enter']> = async (platform, bearer = '', network, isAgain) => {
  const setup = UUID.test(bearer)
    ? await platform.scopes.platform().transaction(sql => knownSetup(sql, bearer))
    : null
  if (!setup) return refuse('ERR_NO_SESSION')
  if (!isAgain) await countSecretUse(platform, { ...setup, kind: 'campaignSetup', call: 'campaign', network })
  return { companyId: setup.companyId, tokenId: null }
}

export const routes = [
  serve(campaigns.list, (scope, { query }) => looking(scope, tx => listCampaigns(tx, query))),
  serve(campaigns.show, (scope, { params }) =>
    looking(scope, async tx => {
      await findCampaignRow(tx, params.campaignId)
      const campaign = await findCampaign(tx, params.campaignId)
      const { rows } = await listDispatches(tx, params.campaignId, {})
      return { campaign: { ...campaign, campaignDispatchs: rows }, dispatchs: rows }
    }),
  ),
  serve(campaigns.create, (scope, { body, files }) => addCampaign(scope, body, files)),
  serveToken(campaigns.createWhole, bySetup, (scope, { body, files }, { header }) =>
    addWhole(scope, header('authorization')!.replace(/^bearer /i, ''), body, files),
  ),
  serve(campaigns.createOwn, (scope, { body: { campaignSetupId, ...body }, files }) =>
    addWhole(scope, campaignSetupId, body, files),
  ),
  serve(campaigns.change, (scope, { params, body, files }) =>
    changeCampaign(scope, params.campaignId, body, files),
  ),
  serve(campaigns.remove, async (scope, { params }) => {
    await removeCampaign(scope, params.campaignId)
    return {}
  }),
  serve(campaigns.process, (scope, { params }) => processCampaign(scope, params.campaignId, params.action)),
  serve(campaigns.forecast, (scope, { params }) => looking(scope, tx => forecastOf(tx, params.campaignId))),
  serve(campaigns.preview, (scope, { params }) => looking(scope, tx => previewsOf(tx, params.campaignId))),
  serve(campaigns.test, async (scope, { params, body }) => {
    await scope.read(requireCampaigns)
    return tryCampaign(scope, params.campaignId, body.number)
  }),
  serve(campaigns.addRecipients, (scope, { params, body }) => addRecipients(scope, params.campaignId, body)),
  serve(campaigns.countRecipients, (scope, { body }) => countRecipients(scope, body)),
  serve(campaigns.followUp, (scope, { params, body }) => followUp(scope, params.campaignId, body.whom)),
  serve(campaigns.clearRecipients, (scope, { params }) => clearRecipients(scope, params.campaignId)),
  serve(campaigns.dispatches, (scope, { params, query }) =>
    looking(scope, async tx => {
      const { total, sent, failed } = countsOf(await findCampaignRow(tx, params.campaignId))
      const { rows, hasMore } = await listDispatches(tx, params.campaignId, query)
      return { campaignDispatches: rows, hasMore, count: total, sentCount: sent, failCount: failed }
    }),
  ),
  serve(campaigns.mendDispatch, (scope, { params, body }) => mendDispatch(scope, params.dispatchId, body)),
  serve(campaigns.removeDispatch, async (scope, { params }) => {
    await removeDispatch(scope, params.dispatchId)
    return {}
  }),
  serve(campaigns.report, (scope, { params }) =>
    looking(scope, async tx => ({
      counts: countsOf(await findCampaignRow(tx, params.campaignId)),
      reasons: await countFailures(tx, params.campaignId),
      buttons: await countButtons(tx, params.campaignId),
    })),
  ),
  serve(campaigns.export, async (scope, { params, query }, { platform }) => {
    await scope.read(requireCampaigns)
    return exportCampaign(scope, platform.files, params.campaignId, query.language ?? 'ptBR')
  }),
  serve(campaigns.template, (scope, _input, { platform }) => exportSheetTemplate(scope, platform.files)),
  serve(campaigns.listCalls, (scope, { params, query }) =>
    looking(scope, async tx => {
      await findCampaignRow(tx, params.campaignId)
      return listConclusions(tx, params.campaignId, query)
    }),
  ),
  serve(campaigns.callAgain, (scope, { params }) => concludeAgain(scope, params.callId)),
  serve(campaigns.ofTicket, (scope, { params }) =>
    scope.read(async tx => {
      const { id } = await findTicket(tx, params.ticketId)
      return { campaign: await campaignOfTicket(tx, id) }
    }),
  ),
  serve(campaigns.contactsAll, (scope, { query: { selectedContactCategories: chosen = [] } }) =>
    looking(scope, async tx => ({
      contacts: await listPicked(tx, chosen.length > 0 ? ofCategories(tx, chosen) : allContacts(tx)),
    })),
  ),
  serve(campaigns.tagContacts, (scope, { query: { tags = [], ...days } }) =>
    looking(scope, async tx => ({ uniqueContacts: await listPicked(tx, ofTags(tx, tags, days)) })),
  ),
]
