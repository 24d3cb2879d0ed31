import { accounts } from './features/accounts/index.ts'
import { apiTokens } from './features/apiTokens/index.ts'
import { assignment } from './features/assignment/index.ts'
import { auth } from './features/auth/index.ts'
import { autopay } from './features/autopay/index.ts'
import { availability } from './features/availability/index.ts'
import { backups } from './features/backups/index.ts'
import { billing } from './features/billing/index.ts'
import { billingNotices } from './features/billingNotices/index.ts'
import { botConfigs } from './features/botConfigs/index.ts'
import { bots } from './features/bots/index.ts'
import { businessHours } from './features/businessHours/index.ts'
import { campaignSetups } from './features/campaignSetups/index.ts'
import { campaigns } from './features/campaigns/index.ts'
import { categories } from './features/categories/index.ts'
import { charges } from './features/charges/index.ts'
import { chat } from './features/chat/index.ts'
import { clients } from './features/clients/index.ts'
import { closingReasons } from './features/closingReasons/index.ts'
import { cloud } from './features/cloud/index.ts'
import { collectors } from './features/collectors/index.ts'
import { companies } from './features/companies/index.ts'
import { companyExports } from './features/companyExports/index.ts'
import { companyLimits } from './features/companyLimits/index.ts'
import { connections } from './features/connections/index.ts'
import { contactMerges } from './features/contactMerges/index.ts'
import { contactSheets } from './features/contactSheets/index.ts'
import { contacts } from './features/contacts/index.ts'
import { drafts } from './features/drafts/index.ts'
import { fiscalNotes } from './features/fiscalNotes/index.ts'
import { flows } from './features/flows/index.ts'
import { imports } from './features/imports/index.ts'
import { integrations } from './features/integrations/index.ts'
import { invitations } from './features/invitations/index.ts'
import { invoices } from './features/invoices/index.ts'
import { kanban } from './features/kanban/index.ts'
import { leads } from './features/leads/index.ts'
import { locations } from './features/locations/index.ts'
import { mails } from './features/mails/index.ts'
import { marks } from './features/marks/index.ts'
import { mentions } from './features/mentions/index.ts'
import { messageLogs } from './features/messageLogs/index.ts'
import { messages } from './features/messages/index.ts'
import { optOuts } from './features/optOuts/index.ts'
import { pauseReasons } from './features/pauseReasons/index.ts'
import { payments } from './features/payments/index.ts'
import { permissions } from './features/permissions/index.ts'
import { plans } from './features/plans/index.ts'
import { presence } from './features/presence/index.ts'
import { pricing } from './features/pricing/index.ts'
import { publicApi } from './features/publicApi/index.ts'
import { push } from './features/push/index.ts'
import { queues } from './features/queues/index.ts'
import { quickAnswers } from './features/quickAnswers/index.ts'
import { referrals } from './features/referrals/index.ts'
import { reports } from './features/reports/index.ts'
import { revenue } from './features/revenue/index.ts'
import { scheduledActions } from './features/scheduledActions/index.ts'
import { schedules } from './features/schedules/index.ts'
import { secretUses } from './features/secretUses/index.ts'
import { simulator } from './features/simulator/index.ts'
import { subscriptions } from './features/subscriptions/index.ts'
import { surveys } from './features/surveys/index.ts'
import { systemControl } from './features/systemControl/index.ts'
import { tags } from './features/tags/index.ts'
import { targets } from './features/targets/index.ts'
import { team } from './features/team/index.ts'
import { terms } from './features/terms/index.ts'
import { tickets } from './features/tickets/index.ts'
import { users } from './features/users/index.ts'
import { views } from './features/views/index.ts'
import { visits } from './features/visits/index.ts'
import { webhooks } from './features/webhooks/index.ts'
import type { Feature } from './platform/features.ts'

/** Every feature of the product from the ground up: each may call those before it, and listens to events of the others. */
export const features: Feature[] = [
  companies,
  subscriptions,
  businessHours,
  mails,
  permissions,
  queues,
  users,
  pauseReasons,
  availability,
  secretUses,
  plans,
  auth,
  accounts,
  invitations,
  categories,
  contacts,
  contactMerges,
  contactSheets,
  connections,
  companyLimits,
  tags,
  closingReasons,
  tickets,
  reports,
  team,
  targets,
  kanban,
  locations,
  messages,
  mentions,
  referrals,
  drafts,
  assignment,
  marks,
  views,
  presence,
  chat,
  optOuts,
  surveys,
  flows,
  integrations,
  botConfigs,
  bots,
  imports,
  schedules,
  campaignSetups,
  campaigns,
  apiTokens,
  publicApi,
  webhooks,
  push,
  messageLogs,
  backups,
  systemControl,
  simulator,
  cloud,
  quickAnswers,
  terms,
  clients,
  companyExports,
  visits,
  collectors,
  invoices,
  payments,
  fiscalNotes,
  autopay,
  charges,
  billing,
  billingNotices,
  pricing,
  leads,
  revenue,
  scheduledActions,
]
