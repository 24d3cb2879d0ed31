import { randomUUID } from 'node:crypto'
import { apiTokens } from '@balcao/contract/apiTokens.ts'
import { botConfigs, botSimulator } from '@balcao/contract/botConfigs.ts'
import { bots } from '@balcao/contract/bots.ts'
import { campaignSetups } from '@balcao/contract/campaignSetups.ts'
import { campaigns } from '@balcao/contract/campaigns.ts'
import { flows } from '@balcao/contract/flows.ts'
import { kanban } from '@balcao/contract/kanban.ts'
import { optOuts } from '@balcao/contract/optOuts.ts'
import { apiDocuments, publicApi } from '@balcao/contract/publicApi.ts'
import { scheduledActions } from '@balcao/contract/scheduledActions.ts'
import { schedules } from '@balcao/contract/schedules.ts'
import { tags } from '@balcao/contract/tags.ts'
import { webhooks } from '@balcao/contract/webhooks.ts'
import { adminsIn, everyoneIn, type Line, ours, oursForAdmins, type Statuses } from './access.ts'
import { newNumber, type Rows, unique } from './rows.ts'

const ticketId = async (rows: Rows) => ({ params: { ticketId: await rows.ticket() } })
const contactId = async (rows: Rows) => ({ params: { contactId: await rows.contact() } })
const aNumber = '5511999990000'
const tokensOnly: Statuses = [401, 401, 401, 401, 401]

const promptId = async (rows: Rows) => ({
  params: { botConfigId: await rows.added(botConfigs.create, { name: 'Vendas' }) },
})
const anApiToken = async (rows: Rows) => ({
  body: { name: `Loja ${unique()}`, whatsappId: await rows.line() },
})
const apiTokenId = async (rows: Rows) => ({ params: { tokenId: await rows.apiToken() } })
const scheduleId = async (rows: Rows) => ({ params: { scheduleId: await rows.schedule() } })
const setupId = async (rows: Rows) => ({ params: { setupId: await rows.campaignSetup() } })
const campaignId = async (rows: Rows) => ({ params: { campaignId: await rows.campaign() } })
const aSchedule = async (rows: Rows) => ({
  contactId: await rows.contact(),
  body: 'Até amanhã',
  sendAt: new Date(Date.now() + 3_600_000).toISOString(),
})
const botSetupId = async (rows: Rows) => ({
  params: { botSetupId: await rows.added(bots.addSetup, { name: `Bot ${unique()}` }) },
})
const botId = async (rows: Rows) => ({
  params: {
    companyId: await rows.company(),
    botId: await rows.added(bots.addCommand, {
      botSetupId: (await botSetupId(rows)).params.botSetupId,
      commandBot: '1',
      commandType: 1,
    }),
  },
})
const aCommand = async (rows: Rows) => ({
  params: { companyId: await rows.company() },
  body: { ...(await botSetupId(rows)).params, commandBot: '7', commandType: 1 },
})
const aWebhook = () => ({
  body: { name: 'Loja', url: 'https://93.184.215.14/aviso', events: ['ticket.changed'], isActive: false },
})
const webhookId = async (rows: Rows) => ({ params: { webhookId: await rows.webhook() } })
const delivery = async (rows: Rows) => ({ params: { deliveryId: await rows.delivery() } })

/** Who may do what with bots, flows, the board, prompts, campaigns, schedules, scheduled actions, API tokens and webhooks. */
export const automationRows: Line[] = [
  [bots.listSetups, everyoneIn],
  [bots.showSetup, ours, botSetupId],
  [bots.addSetup, everyoneIn, () => ({ body: { name: `Bot ${unique()}` } })],
  [bots.copySetup, ours, botSetupId],
  [bots.changeSetup, oursForAdmins, async rows => ({ ...(await botSetupId(rows)), body: { name: 'Bia' } })],
  [bots.removeSetup, oursForAdmins, botSetupId],
  [bots.listCommands, ours, botSetupId],
  [bots.script, ours, botSetupId],
  [bots.arrange, oursForAdmins, async rows => ({ ...(await botSetupId(rows)), body: { commands: [] } })],
  [bots.showCommand, ours, botId],
  [bots.addCommand, oursForAdmins, aCommand],
  [bots.changeCommand, oursForAdmins, async rows => ({ ...(await botId(rows)), body: { commandType: 2 } })],
  [bots.removeCommand, oursForAdmins, botId],
  [bots.showSession, ours, ticketId],
  // no bot answers on its connection
  [bots.giveBack, [401, 409, 409, 404, 404], ticketId],
  [bots.listCalls, oursForAdmins, botSetupId],
  [bots.callAgain, [401, 403, 404, 404, 404], () => ({ params: { callId: randomUUID() } })],
  [bots.showSecret, oursForAdmins, botSetupId],
  [flows.running, ours, ticketId],
  [flows.start, ours, async rows => ({ ...(await ticketId(rows)), body: { flowId: await rows.flow() } })],
  [flows.stop, ours, ticketId],

  [kanban.lanes, everyoneIn],
  [
    kanban.order,
    ours,
    async rows => ({ body: { tagIds: [await rows.added(tags.create, { name: unique(), kanban: 1 })] } }),
  ],
  [kanban.tickets, everyoneIn],
  [kanban.move, ours, async rows => ({ body: { ticketIds: [await rows.ticket()], tagId: null } })],

  [botConfigs.list, everyoneIn],
  [botConfigs.models, adminsIn],
  [botConfigs.create, adminsIn, () => ({ body: { name: 'Vendas' } })],
  [botConfigs.show, oursForAdmins, promptId],
  [botConfigs.change, oursForAdmins, async rows => ({ ...(await promptId(rows)), body: { name: 'Outro' } })],
  [botConfigs.remove, oursForAdmins, promptId],
  [botConfigs.answers, oursForAdmins, promptId],
  [botSimulator.show, oursForAdmins, promptId],
  [
    botSimulator.send,
    oursForAdmins,
    async rows => ({ body: { ...(await promptId(rows)).params, message: { body: 'Oi' } } }),
  ],
  [campaignSetups.list, everyoneIn],
  [campaignSetups.show, ours, setupId],
  [
    campaignSetups.create,
    [401, 200, 200, 400, 400],
    async rows => ({ body: { name: 'Noite', whatsapps: [await rows.line()] } }),
  ],
  [
    campaignSetups.change,
    oursForAdmins,
    async rows => ({ ...(await setupId(rows)), body: { name: 'Manhã' } }),
  ],
  [campaignSetups.remove, oursForAdmins, setupId],
  [campaignSetups.showSecret, oursForAdmins, setupId],
  [campaigns.list, everyoneIn],
  [campaigns.show, ours, campaignId],
  [
    campaigns.create,
    ours,
    async rows => ({ body: { name: 'Natal', campaignSetupId: await rows.campaignSetup() } }),
  ],
  // a session is no token of a setup
  [
    campaigns.createWhole,
    [401, 401, 401, 401, 401],
    () => ({ body: { name: 'Natal', messages: [{ body: 'Oi' }], sendList: [newNumber()] } }),
  ],
  [
    campaigns.createOwn,
    [401, 200, 200, 404, 404],
    async rows => ({
      body: {
        campaignSetupId: await rows.campaignSetup(),
        ...{ name: 'Natal', messages: [{ body: 'Oi' }], sendList: [newNumber()] },
      },
    }),
  ],
  [
    campaigns.change,
    oursForAdmins,
    async rows => ({ ...(await campaignId(rows)), body: { name: 'Páscoa' } }),
  ],
  [campaigns.remove, oursForAdmins, campaignId],
  [
    campaigns.process,
    oursForAdmins,
    async rows => ({ params: { ...(await campaignId(rows)).params, action: 'pause' } }),
  ],
  [campaigns.forecast, ours, campaignId],
  [campaigns.preview, ours, campaignId],
  [campaigns.test, ours, async rows => ({ ...(await campaignId(rows)), body: { number: aNumber } })],
  [
    campaigns.addRecipients,
    oursForAdmins,
    async rows => ({ ...(await campaignId(rows)), body: { sendList: [newNumber()] } }),
  ],
  [campaigns.countRecipients, everyoneIn, () => ({ body: { sendList: [newNumber()] } })],
  [
    campaigns.followUp,
    [401, 403, 409, 404, 404],
    async rows => ({ ...(await campaignId(rows)), body: { whom: 'failed' } }),
  ],
  [campaigns.clearRecipients, oursForAdmins, campaignId],
  [campaigns.dispatches, ours, campaignId],
  [
    campaigns.mendDispatch,
    oursForAdmins,
    async rows => ({ params: { dispatchId: await rows.campaignDispatch() }, body: { number: newNumber() } }),
  ],
  [
    campaigns.removeDispatch,
    oursForAdmins,
    async rows => ({ params: { dispatchId: await rows.campaignDispatch() } }),
  ],
  [campaigns.report, ours, campaignId],
  [campaigns.export, ours, campaignId],
  [campaigns.template, everyoneIn],
  [campaigns.listCalls, oursForAdmins, campaignId],
  [campaigns.callAgain, oursForAdmins, async rows => ({ params: { callId: await rows.campaignCall() } })],
  [campaigns.ofTicket, ours, ticketId],
  [campaigns.contactsAll, everyoneIn],
  [campaigns.tagContacts, everyoneIn],
  [optOuts.list, everyoneIn],
  [optOuts.add, ours, async rows => ({ body: { contactId: await rows.contact() } })],
  [optOuts.remove, oursForAdmins, async rows => ({ params: { optOutId: await rows.optOut() } })],
  [optOuts.ofContact, ours, contactId],
  [optOuts.showSettings, everyoneIn],
  [optOuts.changeSettings, adminsIn, () => ({ body: { isOn: true, words: ['SAIR'], reply: '' } })],
  [apiTokens.list, everyoneIn],
  [apiTokens.show, ours, apiTokenId],
  [apiTokens.create, ours, anApiToken],
  [
    apiTokens.change,
    oursForAdmins,
    async rows => ({ ...(await apiTokenId(rows)), ...(await anApiToken(rows)) }),
  ],
  [apiTokens.renew, oursForAdmins, apiTokenId],
  [apiTokens.remove, oursForAdmins, apiTokenId],
  [apiDocuments.show, everyoneIn],
  // a session is no API token
  [publicApi.send, tokensOnly, () => ({ body: { number: newNumber(), body: 'Oi' } })],
  [publicApi.text, tokensOnly, () => ({ body: { number: newNumber(), body: 'Oi' } })],
  [publicApi.media, tokensOnly, () => ({ body: { number: newNumber(), body: 'Oi' } })],
  [publicApi.status, tokensOnly, () => ({ params: { messageId: randomUUID() } })],
  [scheduledActions.list, adminsIn],
  [scheduledActions.create, adminsIn, () => ({ body: { action: 'testAction', delay: 3_600_000 } })],
  [scheduledActions.remove, [401, 403, 404, 404, 404], () => ({ params: { jobId: randomUUID() } })],
  [scheduledActions.removeAll, adminsIn],
  [schedules.list, everyoneIn],
  [schedules.show, ours, scheduleId],
  [
    schedules.create,
    ours,
    async rows => ({ params: { companyId: await rows.company() }, body: await aSchedule(rows) }),
  ],
  [
    schedules.createSeveral,
    ours,
    async rows => ({
      params: { companyId: await rows.company() },
      body: { ...(await aSchedule(rows)), contactIds: [await rows.contact()] },
    }),
  ],
  [schedules.calendar, everyoneIn],
  // the admin made it
  [
    schedules.change,
    oursForAdmins,
    async rows => ({
      params: { ...(await scheduleId(rows)).params, companyId: await rows.company() },
      body: await aSchedule(rows),
    }),
  ],
  [schedules.remove, oursForAdmins, scheduleId],
  [schedules.removeMany, adminsIn, () => ({ body: { mySchedule: false, status: 'ENVIADA' } })],
  [schedules.resend, [401, 403, 409, 404, 404], scheduleId],

  [webhooks.list, adminsIn],
  [webhooks.show, oursForAdmins, webhookId],
  [webhooks.create, adminsIn, aWebhook],
  [webhooks.change, oursForAdmins, async rows => ({ ...(await webhookId(rows)), ...aWebhook() })],
  [webhooks.showSecret, oursForAdmins, webhookId],
  [webhooks.renewSecret, oursForAdmins, webhookId],
  [webhooks.test, oursForAdmins, webhookId],
  [webhooks.listDeliveries, oursForAdmins, webhookId],
  [webhooks.sendAgain, oursForAdmins, delivery],
  [webhooks.remove, oursForAdmins, webhookId],
]
