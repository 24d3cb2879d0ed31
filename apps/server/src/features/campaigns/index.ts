import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { webhookDue } from '../../platform/outbound/webhook-deliveries.ts'
import { due, dueTopic } from '../../platform/work/due.ts'
import { carriedOfCampaigns } from './campaigns.carried.queries.ts'
import { clockSet, conclusionWritten } from './campaigns.events.ts'
import { jobs } from './campaigns.jobs.ts'
import { live } from './campaigns.live.ts'
import { reacts } from './campaigns.reacts.ts'
import { routes } from './campaigns.routes.ts'
import { conclusions } from './results/webhooks.worker.ts'
import { clocksDue, plannedCampaigns } from './run/run.queries.ts'
import { sendDueCampaigns } from './run/run.worker.ts'

const NAME = 'campaigns'
const WEBHOOKS = 'campaigns.webhooks'

export const campaigns: Feature = {
  name: NAME,
  routes,
  live,
  reacts: [
    ...reacts,
    signal(clockSet, () => dueTopic(NAME)),
    signal(conclusionWritten, () => dueTopic(WEBHOOKS)),
  ],
  jobs: [
    ...carriedOfCampaigns,
    ...jobs,
    due(
      NAME,
      sendDueCampaigns,
      sql => plannedCampaigns(sql, 1),
      sql => clocksDue(sql, 1),
    ),
    webhookDue(WEBHOOKS, conclusions),
  ],
}
