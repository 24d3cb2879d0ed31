import { campaigns } from '@balcao/contract/campaigns.ts'
import { refuse } from '../../platform/errors.ts'
import { type Served, serve, serveToken } from '../../platform/routes.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { askCampaigns, companyOfSetup } from '../campaignSetups/campaignSetups.queries.ts'
import { findTicket } from '../tickets/tickets.queries.ts'
import { addCampaign, addWhole, changeCampaign, removeCampaign, removeDispatch } from './campaigns.actions.ts'
import { listConclusions } from './campaigns.calls.ts'
import { exportCampaign, exportSheetTemplate } from './campaigns.export.ts'
import { forecastOf, previewsOf } from './campaigns.forecast.ts'
import { processCampaign } from './campaigns.process.ts'
import {
  campaignOfTicket,
  countsOf,
  failures,
  findCampaign,
  listCampaigns,
  listDispatches,
  lookAt,
} from './campaigns.queries.ts'
import {
  addRecipients,
  allContacts,
  clearRecipients,
  ofCategories,
  ofTags,
  picked,
} from './campaigns.recipients.ts'
import { tryCampaign } from './campaigns.trial.ts'
import { concludeAgain } from './campaigns.webhooks.ts'

/** What is read where the company has campaigns. */
const looking = <T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> =>
  scope.list(async tx => {
    await askCampaigns(tx)
    return work(tx)
  })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The bearer is the id of a setup. Refuses with ERR_NO_SESSION. */
const bySetup: NonNullable<Served['enter']> = async ({ scopes }, bearer = '') => {
  const companyId = UUID.test(bearer)
    ? await scopes.platform().transaction(sql => companyOfSetup(sql, bearer))
    : null
  return companyId === null ? refuse('ERR_NO_SESSION') : { companyId, tokenId: null }
}

export const routes = [
  serve(campaigns.list, (scope, { query }) => looking(scope, tx => listCampaigns(tx, query))),
  serve(campaigns.show, (scope, { params }) =>
    looking(scope, async tx => {
      const campaign = await findCampaign(tx, params.campaignId)
      const { rows } = await listDispatches(tx, params.campaignId, {})
      return { campaign, dispatchs: rows }
    }),
  ),
  serve(campaigns.create, (scope, { body, files }) => addCampaign(scope, body, files)),
  serveToken(campaigns.createWhole, bySetup, (scope, { body, files }, { header }) =>
    addWhole(scope, header('authorization')!.replace(/^bearer /i, ''), body, files),
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
    await scope.read(askCampaigns)
    return tryCampaign(scope, params.campaignId, body.number)
  }),
  serve(campaigns.addRecipients, (scope, { params, body }) => addRecipients(scope, params.campaignId, body)),
  serve(campaigns.clearRecipients, (scope, { params }) => clearRecipients(scope, params.campaignId)),
  serve(campaigns.dispatches, (scope, { params, query }) =>
    looking(scope, async tx => {
      const { total, sent, failed } = countsOf(await lookAt(tx, params.campaignId))
      const { rows, hasMore } = await listDispatches(tx, params.campaignId, query)
      return { campaignDispatches: rows, hasMore, count: total, sentCount: sent, failCount: failed }
    }),
  ),
  serve(campaigns.removeDispatch, async (scope, { params }) => {
    await removeDispatch(scope, params.dispatchId)
    return {}
  }),
  serve(campaigns.report, (scope, { params }) =>
    looking(scope, async tx => ({
      counts: countsOf(await lookAt(tx, params.campaignId)),
      reasons: await failures(tx, params.campaignId),
    })),
  ),
  serve(campaigns.export, async (scope, { params, query }, { platform }) => {
    await scope.read(askCampaigns)
    return exportCampaign(scope, platform.files, params.campaignId, query.language ?? 'ptBR')
  }),
  serve(campaigns.template, (scope, _input, { platform }) => exportSheetTemplate(scope, platform.files)),
  serve(campaigns.listCalls, (scope, { params, query }) =>
    looking(scope, async tx => {
      await lookAt(tx, params.campaignId)
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
      contacts: await picked(tx, chosen.length > 0 ? ofCategories(tx, chosen) : allContacts(tx)),
    })),
  ),
  serve(campaigns.tagContacts, (scope, { query: { tags = [], ...days } }) =>
    looking(scope, async tx => ({ uniqueContacts: await picked(tx, ofTags(tx, tags, days)) })),
  ),
]
