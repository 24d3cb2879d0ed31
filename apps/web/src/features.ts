import { accounts } from './features/accounts/index.tsx'
import { apiTokens } from './features/apiTokens/index.tsx'
import { assignment } from './features/assignment/index.tsx'
import { auth } from './features/auth/index.tsx'
import { billingNotices } from './features/billingNotices/index.tsx'
import { botConfigs } from './features/botConfigs/index.tsx'
import { bots } from './features/bots/index.tsx'
import { campaignSetups } from './features/campaignSetups/index.tsx'
import { campaigns } from './features/campaigns/index.tsx'
import { categories } from './features/categories/index.tsx'
import { chat } from './features/chat/index.tsx'
import { clients } from './features/clients/index.tsx'
import { closingReasons } from './features/closingReasons/index.tsx'
import { companies } from './features/companies/index.tsx'
import { connections } from './features/connections/index.tsx'
import { contactMerges } from './features/contactMerges/index.tsx'
import { contactSheets } from './features/contactSheets/index.tsx'
import { contacts } from './features/contacts/index.tsx'
import { flows } from './features/flows/index.tsx'
import { imports } from './features/imports/index.tsx'
import { integrations } from './features/integrations/index.tsx'
import { invitations } from './features/invitations/index.tsx'
import { invoices } from './features/invoices/index.tsx'
import { kanban } from './features/kanban/index.tsx'
import { leads } from './features/leads/index.tsx'
import { locations } from './features/locations/index.tsx'
import { mentions } from './features/mentions/index.tsx'
import { messageLogs } from './features/messageLogs/index.tsx'
import { messages } from './features/messages/index.tsx'
import { optOuts } from './features/optOuts/index.tsx'
import { pauseReasons } from './features/pauseReasons/index.tsx'
import { payments } from './features/payments/index.tsx'
import { permissions } from './features/permissions/index.tsx'
import { plans } from './features/plans/index.tsx'
import { presence } from './features/presence/index.tsx'
import { publicApi } from './features/publicApi/index.tsx'
import { push } from './features/push/index.tsx'
import { queues } from './features/queues/index.tsx'
import { quickAnswers } from './features/quickAnswers/index.tsx'
import { reports } from './features/reports/index.tsx'
import { revenue } from './features/revenue/index.tsx'
import { scheduledActions } from './features/scheduledActions/index.tsx'
import { schedules } from './features/schedules/index.tsx'
import { simulator } from './features/simulator/index.tsx'
import { surveys } from './features/surveys/index.tsx'
import { systemControl } from './features/systemControl/index.tsx'
import { tags } from './features/tags/index.tsx'
import { targets } from './features/targets/index.ts'
import { team } from './features/team/index.tsx'
import { terms } from './features/terms/index.tsx'
import { tickets } from './features/tickets/index.tsx'
import { users } from './features/users/index.tsx'
import { visits } from './features/visits/index.tsx'
import { webhooks } from './features/webhooks/index.tsx'
import type { Feature } from './platform/features.ts'

/** Every feature, one per line. Their order is the order of the menu. */
export const features: Feature[] = [
  auth,
  accounts,
  leads,
  reports,
  team,
  users,
  invitations,
  queues,
  permissions,
  tickets,
  messages,
  mentions,
  presence,
  push,
  chat,
  kanban,
  assignment,
  contacts,
  contactMerges,
  contactSheets,
  schedules,
  scheduledActions,
  quickAnswers,
  closingReasons,
  surveys,
  pauseReasons,
  campaigns,
  campaignSetups,
  optOuts,
  bots,
  flows,
  categories,
  tags,
  connections,
  imports,
  targets,
  terms,
  locations,
  publicApi,
  apiTokens,
  webhooks,
  simulator,
  botConfigs,
  integrations,
  companies,
  clients,
  visits,
  plans,
  invoices,
  payments,
  revenue,
  billingNotices,
  systemControl,
  messageLogs,
]
