import { bots } from '@balcao/contract/bots.ts'
import { refuse } from '../../platform/errors.ts'
import { serve } from '../../platform/http/routes.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { isOpenNow } from '../businessHours/businessHours.queries.ts'
import { addSetup, changeSetup, copySetup, removeSetup } from './bots.actions.ts'
import { listCalls } from './bots.calls.queries.ts'
import { callAgain, showSecret } from './bots.calls.worker.ts'
import { addCommand, arrange, changeCommand, removeCommand } from './bots.commands.actions.ts'
import { commandsOf, findCommand } from './bots.commands.queries.ts'
import { findSetup, listSetups, requireBots } from './bots.queries.ts'
import { referencesOf } from './bots.references.queries.ts'
import { botSessionOf, returnToBot } from './bots.turn.actions.ts'

export const routes = [
  serve(bots.listSetups, (scope, { query }) =>
    scope.list(async tx => {
      await requireBots(tx)
      return listSetups(tx, query)
    }),
  ),
  serve(bots.showSetup, (scope, { params }) => read(scope, tx => findSetup(tx, params.botSetupId))),
  serve(bots.addSetup, (scope, { body }) => addSetup(scope, body)),
  serve(bots.copySetup, (scope, { params }) => copySetup(scope, params.botSetupId)),
  serve(bots.changeSetup, (scope, { params, body }) => changeSetup(scope, params.botSetupId, body)),
  serve(bots.removeSetup, async (scope, { params }) => {
    await removeSetup(scope, params.botSetupId)
    return {}
  }),
  serve(bots.listCommands, (scope, { params }) =>
    read(scope, async tx => commandsOf(tx, (await findSetup(tx, params.botSetupId)).id)),
  ),
  serve(bots.script, (scope, { params }) =>
    read(scope, async tx => {
      const setup = await findSetup(tx, params.botSetupId)
      const commands = await commandsOf(tx, setup.id)
      const whatsappId = setup.whatsapps[0]?.id ?? null
      const around = await referencesOf(tx, setup, commands, whatsappId)
      // also for a branch that is being written
      return { setup, commands, around: { ...around, isOpen: await isOpenNow(tx, { whatsappId }) } }
    }),
  ),
  serve(bots.arrange, (scope, { params, body }) => arrange(scope, params.botSetupId, body.commands)),
  serve(bots.showCommand, (scope, { params }) => read(scope, tx => findCommand(tx, params.botId))),
  serve(bots.addCommand, (scope, { params, body, files }) => {
    ownCompanyIn(scope, params)
    return addCommand(scope, body, files)
  }),
  serve(bots.changeCommand, (scope, { params, body, files }) => {
    ownCompanyIn(scope, params)
    return changeCommand(scope, params.botId, body, files)
  }),
  serve(bots.removeCommand, async (scope, { params, query }) => {
    await removeCommand(scope, params.botId, { branch: query.branch ?? false })
    return {}
  }),
  serve(bots.showSession, (scope, { params }) => read(scope, tx => botSessionOf(tx, params.ticketId))),
  serve(bots.giveBack, (scope, { params }) => returnToBot(scope, params.ticketId)),
  serve(bots.listCalls, (scope, { params, query }) =>
    read(scope, async tx => listCalls(tx, (await findSetup(tx, params.botSetupId)).id, query)),
  ),
  serve(bots.callAgain, (scope, { params }) => callAgain(scope, params.callId)),
  serve(bots.showSecret, (scope, { params }, { platform }) =>
    showSecret(scope, params.botSetupId, platform.secrets),
  ),
]

const read = <T>(scope: Scope, work: (tx: Tx) => Promise<T>) =>
  scope.read(async tx => {
    await requireBots(tx)
    return work(tx)
  })

function ownCompanyIn(scope: Scope, { companyId }: { companyId: number }) {
  if (companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
}
