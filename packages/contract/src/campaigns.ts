import { z } from 'zod'
import { Added, CampaignCounts, Countable, Forecast, Preview } from './campaignPeople.ts'
import { CampaignCall } from './campaignSetups.ts'
import {
  Campaign,
  CampaignAction,
  CampaignChange,
  CampaignDispatch,
  CampaignInput,
  DispatchStatus,
  FollowUp,
  LIST_BYTES,
  Recipients,
} from './campaignShapes.ts'
import {
  channel,
  id,
  idList,
  idOrNone,
  jsonForm,
  moment,
  page,
  pageNumber,
  pageQuery,
  readJson,
  route,
} from './kit.ts'

/** The documents’ form: all of it as JSON in the field `campaign`. */
const campaignForm = <S extends z.ZodType>(shape: S) =>
  z.preprocess(given => {
    const { campaign } = (given ?? {}) as { campaign?: unknown }
    if (campaign === undefined) return given
    return typeof campaign === 'string' ? readJson(campaign) : campaign
  }, shape)

const campaignId = z.object({ campaignId: id })
/** Grants no rights (OP-86). */
const ignored = z.unknown().optional()
const Picked = z.object({ id: z.int(), name: z.string(), number: z.string() })
const statusChoice = DispatchStatus.or(z.enum(['answered', 'optedOut', ''])).optional()

export const campaigns = {
  list: route('GET', '/Campaign', {
    needs: 'session',
    summary: 'Campaigns of the company, the newest first, a page at a time.',
    query: pageQuery.extend({ user: ignored }),
    reply: page('campaigns', Campaign),
  }),
  show: route('GET', '/Campaign/:campaignId', {
    needs: 'session',
    summary: 'One campaign with the first page of its people.',
    params: campaignId,
    record: 'campaign',
    reply: z.object({
      /** The same people under both names of the documents. */
      campaign: Campaign.extend({ campaignDispatchs: z.array(CampaignDispatch) }),
      dispatchs: z.array(CampaignDispatch),
    }),
  }),
  create: route('POST', '/Campaign', {
    needs: 'session',
    summary:
      'Makes a campaign without people, which waits to be filled and started; multipart as `campaign` (JSON) with `messageMedias`, or the fields themselves.',
    files: 'also',
    body: jsonForm(CampaignChange),
    reply: Campaign,
  }),
  createWhole: route('POST', '/api/campaign/v1', {
    needs: 'nobody',
    summary:
      'Makes a whole campaign; the bearer is the id of its setup. Multipart: `campaign` (JSON: name, schedule, messages, sendList, and categoryIds, tagIds, sheetId) and `messageMedias`. Without a schedule it begins as its setup says.',
    files: 'also',
    bodyBytes: LIST_BYTES,
    body: campaignForm(CampaignInput),
    reply: Campaign,
    limit: { counts: 'calls', caller: 60 },
  }),
  createOwn: route('POST', '/Campaign/whole', {
    needs: 'session',
    summary:
      'Makes a whole campaign in the caller’s name: what `POST /api/campaign/v1` takes, and `campaignSetupId`.',
    files: 'also',
    bodyBytes: LIST_BYTES,
    body: campaignForm(CampaignInput.extend({ campaignSetupId: CampaignChange.shape.campaignSetupId })),
    reply: Campaign,
    limit: { counts: 'calls', caller: 60 },
  }),
  change: route('PUT', '/campaign/:campaignId', {
    edits: '/Campaign/:campaignId',
    needs: 'session',
    summary:
      'Changes name, setup, messages or time; `schedule` null unschedules. For admins and the owner. ERR_CAMPAIGN_RUNNING for setup and messages of one that began, ERR_CAMPAIGN_FINALIZED.',
    params: campaignId,
    files: 'also',
    body: jsonForm(CampaignChange.partial()),
    reply: Campaign,
  }),
  remove: route('DELETE', '/campaign/:campaignId', {
    needs: 'session',
    summary: 'Deletes a campaign; what waits never leaves. For admins and the owner.',
    params: campaignId,
  }),
  process: route('POST', '/CampaignProcess/:campaignId/:action', {
    needs: 'session',
    summary:
      'Starts, pauses or finalizes it; answers it with the status that it had before a start. For admins and the owner. ERR_CAMPAIGN_FINALIZED, ERR_CAMPAIGN_EMPTY, ERR_CAMPAIGN_NO_SETUP, ERR_WAPP_NOT_INITIALIZED when none of its connections is there.',
    params: campaignId.extend({ action: CampaignAction }),
    reply: Campaign,
  }),
  forecast: route('GET', '/Campaign/:campaignId/forecast', {
    needs: 'session',
    summary: 'How many can be written to, how fast, and when the last one leaves.',
    params: campaignId,
    reply: Forecast,
  }),
  preview: route('GET', '/Campaign/:campaignId/preview', {
    needs: 'session',
    summary: 'What five people of the list would get, each message in turn.',
    params: campaignId,
    reply: z.array(Preview),
  }),
  test: route('POST', '/Campaign/:campaignId/test', {
    needs: 'session',
    summary: 'Sends each message of it to one number, such as one’s own. ERR_WAPP_NOT_INITIALIZED.',
    params: campaignId,
    body: z.object({ number: z.string().trim().min(8, 'Too Short!').max(30, 'Too Long!') }),
    reply: z.object({ sent: z.int() }),
    limit: { counts: 'calls', caller: 10 },
  }),
  addRecipients: route('POST', '/Campaign/:campaignId/recipients', {
    needs: 'session',
    summary:
      'Adds people, each number once; for admins and the owner. ERR_CAMPAIGN_FINALIZED, ERR_SHEET_NOT_READY.',
    params: campaignId,
    bodyBytes: LIST_BYTES,
    body: Recipients,
    reply: Added,
  }),
  countRecipients: route('POST', '/Campaign/recipients/count', {
    needs: 'session',
    summary:
      'How many people `addRecipients` would add, and leave out because of `without`; adds nobody. With `campaignId` those are left out that are in it. ERR_SHEET_NOT_READY.',
    bodyBytes: LIST_BYTES,
    body: Recipients.extend({ campaignId: idOrNone.optional() }),
    reply: Countable,
    limit: { counts: 'calls', caller: 120 },
  }),
  followUp: route('POST', '/Campaign/:campaignId/followUp', {
    needs: 'session',
    summary:
      'Makes a campaign with the same messages for those of a finished one who did not get it (`failed`), who did not answer it (`silent`), or both; it waits to be started. Until it is, the same call answers the same campaign. For admins and the owner. ERR_CAMPAIGN_NOT_FINALIZED, ERR_CAMPAIGN_EMPTY when there is nobody.',
    params: campaignId,
    body: z.object({ whom: FollowUp }),
    reply: Campaign,
  }),
  clearRecipients: route('DELETE', '/Campaign/:campaignId/recipients', {
    needs: 'session',
    summary: 'Takes out everybody who still waits; for admins and the owner.',
    params: campaignId,
    reply: Campaign,
  }),
  dispatches: route('GET', '/CampaignDispatch/:campaignId', {
    needs: 'session',
    summary: 'People of a campaign in order, 40 a page, with the counts of all of them.',
    params: campaignId,
    query: z.object({
      pageNumber: pageNumber.optional(),
      searchParam: z.string().max(100).optional(),
      status: statusChoice,
    }),
    reply: z.object({
      campaignDispatches: z.array(CampaignDispatch),
      hasMore: z.boolean(),
      count: z.int(),
      sentCount: z.int(),
      failCount: z.int(),
    }),
  }),
  mendDispatch: route('PUT', '/CampaignDispatch/:dispatchId', {
    needs: 'session',
    summary:
      'Corrects a person who waits or failed, who then waits anew. For admins and the owner of the campaign. ERR_CAMPAIGN_FINALIZED, ERR_DISPATCH_SENT, ERR_DISPATCH_TWICE.',
    params: z.object({ dispatchId: id }),
    body: z.object({
      number: z.string().trim().min(8, 'Too Short!').max(60, 'Too Long!'),
      /** Omitted: as it is. */
      name: z.string().trim().max(50, 'Too Long!').optional(),
    }),
    reply: Campaign,
  }),
  removeDispatch: route('DELETE', '/CampaignDispatch/:dispatchId', {
    needs: 'session',
    summary: 'Takes one person out; what left stays. For admins and the owner of the campaign.',
    params: z.object({ dispatchId: id }),
  }),
  report: route('GET', '/Campaign/:campaignId/report', {
    needs: 'session',
    summary: 'Counts of a campaign, failures by reason, answers by button.',
    params: campaignId,
    reply: z.object({
      counts: CampaignCounts,
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
      /** How many chose each button first, the most chosen first. */
      buttons: z.array(z.object({ button: z.string(), count: z.int() })),
    }),
  }),
  export: route('GET', '/Campaign/:campaignId/export', {
    needs: 'session',
    summary: 'Everybody of a campaign and what became of them as a spreadsheet.',
    params: campaignId,
    query: z.object({ language: z.enum(['ptBR', 'en', 'es']).optional() }),
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 10 },
  }),
  template: route('GET', '/campaigns/template', {
    needs: 'session',
    summary: 'An empty spreadsheet with the columns number, name_opcional, email_opcional.',
    reply: z.object({ url: z.string() }),
    limit: { counts: 'calls', caller: 20 },
  }),
  listCalls: route('GET', '/Campaign/:campaignId/calls', {
    needs: 'administration',
    summary: 'Calls of its webhook, newest first, a page at a time.',
    params: campaignId,
    query: pageQuery,
    reply: page('calls', CampaignCall),
  }),
  callAgain: route('POST', '/campaignCalls/:callId', {
    needs: 'administration',
    summary: 'Tells the webhook again, under the first id.',
    params: z.object({ callId: z.uuid() }),
    reply: CampaignCall,
  }),
  ofTicket: route('GET', '/tickets/:ticketId/campaign', {
    needs: 'session',
    summary: 'The campaign that a ticket answers; null when it answers none.',
    params: z.object({ ticketId: id }),
    reply: z.object({ campaign: z.object({ id: z.int(), name: z.string() }).nullable() }),
  }),
  contactsAll: route('GET', '/contactsall', {
    needs: 'session',
    summary: 'Contacts with a number of the chosen categories, all of them without a choice; 20,000 at most.',
    query: z.object({ selectedContactCategories: idList.optional() }),
    reply: z.object({ contacts: z.array(Picked) }),
  }),
  tagContacts: route('GET', '/tagcontacts', {
    needs: 'session',
    summary:
      'Contacts whose tickets with one of the tags began within the days, the last 30 unless said; each once, 20,000 at most.',
    query: z.object({
      tags: idList.optional(),
      dateInitial: moment.optional(),
      dateFinal: moment.optional(),
    }),
    reply: z.object({ uniqueContacts: z.array(Picked) }),
  }),
}

/**
 * Events of one campaign, for clients that joined it (`joinCampaign`). The name contains the campaign's id:
 * `campaignChannelOf`.
 */
export const campaignChannel = channel(
  'campaign-{campaignId}',
  z.discriminatedUnion('action', [
    /** Many of its recipients changed: clients fetch the list again. */
    z.object({ action: z.literal('refresh'), campaign: Campaign }),
    z.object({
      action: z.enum(['update', 'create']),
      campaignDispatch: CampaignDispatch,
      campaign: Campaign.pick({ id: true, status: true, counts: true, waits: true }),
      sentCount: z.int(),
      failCount: z.int(),
    }),
  ]),
)

export const campaignChannelOf = (campaignId: number) => ({
  ...campaignChannel,
  name: campaignChannel.name.replace('{campaignId}', String(campaignId)),
})

/** Campaigns of the list changed: clients fetch it again. */
export const campaignsChannel = channel(
  'campaigns-{companyId}',
  z.object({ action: z.enum(['create', 'update', 'delete']), campaignId: z.int() }),
)
