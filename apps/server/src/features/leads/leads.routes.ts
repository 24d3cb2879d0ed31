import { leads } from '@balcao/contract/leads.ts'
import { serveOpen } from '../../platform/http/routes.ts'
import { withCookie } from '../auth/auth.actions.ts'
import { lookUpNumber } from '../connections/connections.numbers.client.ts'
import { registerLead } from './leads.actions.ts'
import { completeLead, openLead } from './leads.completion.actions.ts'

export const routes = [
  serveOpen(leads.create, (platform, { body }, visit) =>
    registerLead(platform, visit.platform, body, visit.ip),
  ),
  serveOpen(leads.show, (platform, { params }, visit) => openLead(platform, visit.platform, params.leadId)),
  serveOpen(leads.complete, async (platform, { body }, visit) => {
    const { opened, ...made } = await completeLead(platform, visit.platform, body, visit)
    return { ...made, token: opened && withCookie(visit, opened).token }
  }),
  serveOpen(leads.findWhatsapp, (_platform, { params }, { platform }) =>
    lookUpNumber(platform, params.number),
  ),
]
