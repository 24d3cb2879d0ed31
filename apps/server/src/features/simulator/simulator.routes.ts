import { simulator } from '@balcao/contract/simulator.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  confirm,
  doTo,
  misbehave,
  simulateTyping,
  simulateVote,
  simulateWriting,
} from './simulator.actions.ts'
import { chatOn, chatsOn, findPhone } from './simulator.queries.ts'

export const routes = [
  serve(simulator.write, (scope, { params, body, files }) =>
    simulateWriting(scope, params.whatsappId, body, files),
  ),
  serve(simulator.edit, (scope, { params, body: { number, body } }) =>
    doTo(scope, params.whatsappId, { ...params, number }, { kind: 'edit', body }),
  ),
  serve(simulator.remove, (scope, { params, query }) =>
    doTo(scope, params.whatsappId, { ...params, ...query }, { kind: 'delete', body: '' }),
  ),
  serve(simulator.react, (scope, { params, body: { number, emoji } }) =>
    doTo(scope, params.whatsappId, { ...params, number }, { kind: 'reaction', body: emoji }),
  ),
  serve(simulator.vote, (scope, { params, body }) =>
    simulateVote(scope, params.whatsappId, { ...params, ...body }),
  ),
  serve(simulator.type, (scope, { params, body }) => simulateTyping(scope, params.whatsappId, body)),
  serve(simulator.chats, (scope, { params, query }) =>
    scope.list(async tx => {
      await findPhone(tx, params.whatsappId)
      return chatsOn(tx, params.whatsappId, query.before)
    }),
  ),
  serve(simulator.chat, (scope, { params }) =>
    scope.list(async tx => {
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
