import { due, dueTopic } from '../../platform/due.ts'
import { nudge } from '../../platform/events.ts'
import type { Feature } from '../../platform/features.ts'
import { DIALOGS, workOffDialogs } from './botConfigs.due.ts'
import { dialogDue } from './botConfigs.events.ts'
import { live } from './botConfigs.live.ts'
import { reacts } from './botConfigs.reacts.ts'
import { routes } from './botConfigs.routes.ts'

export const botConfigs: Feature = {
  name: 'botConfigs',
  routes,
  live,
  reacts,
  due: [due(DIALOGS, workOffDialogs)],
  nudges: [nudge(dialogDue, () => dueTopic(DIALOGS))],
}
