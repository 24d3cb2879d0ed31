import { signal } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { due, dueTopic } from '../../platform/work/due.ts'
import { carriedOfBotConfigs } from './botConfigs.carried.queries.ts'
import { dialogsDue } from './botConfigs.dialogs.queries.ts'
import { DIALOGS, workOffDialogs } from './botConfigs.dialogs.worker.ts'
import { dialogDue } from './botConfigs.events.ts'
import { live } from './botConfigs.live.ts'
import { botConfigLifetimes } from './botConfigs.queries.ts'
import { reacts } from './botConfigs.reacts.ts'
import { routes } from './botConfigs.routes.ts'

export const botConfigs: Feature = {
  name: 'botConfigs',
  routes,
  live,
  reacts: [...reacts, signal(dialogDue, () => dueTopic(DIALOGS))],
  jobs: [
    ...carriedOfBotConfigs,
    due(DIALOGS, workOffDialogs, sql => dialogsDue(sql, []).limit(1)),
    ...botConfigLifetimes,
  ],
}
