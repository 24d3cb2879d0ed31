import { leads } from '@balcao/contract/leads.ts'
import { serveOpen } from '../../platform/http/routes.ts'
import { lookUpNumber } from '../connections/connections.numbers.client.ts'
import { registerLead } from './leads.actions.ts'
import { completeLead, openLead } from './leads.completion.actions.ts'

export const routes = [
  serveOpen(leads.create, (platform, { body }, visit) =>
    registerLead(platform, visit.platform, body, visit.ip),
  ),
  serveOpen(leads.show, (platform, { params }, visit) => openLead(platform, visit.platform, params.leadId)),
  serveOpen(leads.complete, (platform, { body }, visit) =>
    completeLead(platform, visit.platform, body, visit.ip),
  ),
  serveOpen(leads.findWhatsapp, (_platform, { params }, { platform }) =>
    lookUpNumber(platform, params.number),
  ),
]
