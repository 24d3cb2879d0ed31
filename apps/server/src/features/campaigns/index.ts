import { due, dueTopic } from '../../platform/due.ts'
import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { webhookDue } from '../../platform/webhooks.due.ts'
import { clockSet, conclusionWritten } from './campaigns.events.ts'
import { jobs } from './campaigns.jobs.ts'
import { campaignJoins } from './campaigns.joins.ts'
import { live } from './campaigns.live.ts'
import { reacts } from './campaigns.reacts.ts'
import { routes } from './campaigns.routes.ts'
import { sendDueCampaigns } from './campaigns.run.ts'
import { conclusions } from './campaigns.webhooks.ts'

const NAME = 'campaigns'
const WEBHOOKS = 'campaigns.webhooks'

export const campaigns: Feature = {
  name: NAME,
  routes,
  live,
  joins: campaignJoins,
  reacts,
  jobs,
  due: [due(NAME, sendDueCampaigns), webhookDue(WEBHOOKS, conclusions)],
  nudges: [nudge(clockSet, () => dueTopic(NAME)), nudge(conclusionWritten, () => dueTopic(WEBHOOKS))],
}
