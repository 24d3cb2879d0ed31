import { simulator } from '@balcao/contract/simulator.ts'
import { serve } from '../../platform/routes.ts'
import { confirm, misbehave, write } from './simulator.actions.ts'
import { chatOn, chatsOn, findPhone } from './simulator.queries.ts'

export const routes = [
  serve(simulator.write, (scope, { params, body }) => write(scope, params.whatsappId, body)),
  serve(simulator.chats, (scope, { params }) =>
    scope.transaction(async tx => {
      await findPhone(tx, params.whatsappId)
      return chatsOn(tx, params.whatsappId)
    }),
  ),
  serve(simulator.chat, (scope, { params }) =>
    scope.transaction(async tx => {
      await findPhone(tx, params.whatsappId)
      return chatOn(tx, params.whatsappId, params.number)
    }),
  ),
  serve(simulator.receipt, async (scope, { params, body }) => {
    await confirm(scope, params.whatsappId, body)
    return {}
  }),
  serve(simulator.fault, async (scope, { params, body }) => {
    await misbehave(scope, params.whatsappId, body.kind)
    return {}
  }),
]
