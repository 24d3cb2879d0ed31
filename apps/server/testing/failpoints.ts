import { registerHooks } from 'node:module'

/**
 * Preloaded into a product process by tests (node --import): makes it die by `kill -9`, or freeze, at an exact point. Production
 * code knows nothing of it. A watched module is replaced by one that re-exports it with some functions wrapped, so a
 * point is where another module calls in: just before the call, or just after its promise is kept (or the step in which
 * it is made, when it gives none). `maker.method` names a method of what `maker` gives.
 */
const watched: Record<string, string[]> = {
  'channels/inbound.ts': ['receiveInbound'],
  'features/connections/connections.keys.ts': ['keyRows.write'],
  'features/connections/connections.leases.ts': ['isHeld'],
  'channels/baileys/addresses.ts': ['localAddress'],
  'features/botConfigs/botConfigs.settle.ts': ['settleReply'],
  'features/botConfigs/botConfigs.store.ts': ['claimDialogs'],
  'features/bots/bots.outcalls.ts': ['claimCall', 'settleCall'],
  'features/bots/bots.sessions.ts': ['keepSession'],
  'features/bots/bots.turns.ts': ['endWait'],
  'features/contactSheets/contactSheets.queries.ts': ['updateSheet'],
  'features/flows/flows.running.ts': ['playFlow'],
  'features/imports/imports.stage.ts': ['stage'],
  'features/imports/imports.queries.ts': ['dequeueStaged', 'writeDown'],
  'features/messages/messages.old.ts': ['insertOld'],
  'features/messages/messages.save.ts': ['insertMessage', 'saveMessage'],
  'features/messages/messages.receive.ts': ['acknowledge'],
  'features/messages/messages.waiting.ts': ['beginSending'],
  'features/messages/messages.actions.ts': ['send', 'post'],
  'features/schedules/schedules.queries.ts': ['claimDue'],
  'features/schedules/schedules.plan.ts': ['takeOccurrence', 'planNext'],
  'features/schedules/schedules.outcome.ts': ['settleOccurrence'],
  'features/simulator/simulator.actions.ts': ['simulateWriting', 'deliver', 'told'],
  'features/invitations/invitations.actions.ts': ['invite'],
  'features/invoices/invoices.queries.ts': ['insertInvoice', 'updateInvoice', 'overdueOn', 'lockInvoice'],
  'features/billingNotices/billingNotices.contacts.ts': ['contactsOf'],
  'features/mails/mails.actions.ts': ['writeMail'],
  'features/mails/mails.settle.ts': ['settleMail'],
  'features/companies/companies.plan.ts': ['copyPlan'],
  'features/leads/leads.actions.ts': ['takeLead'],
  'features/leads/leads.complete.ts': ['completeLead'],
  'features/webhooks/webhooks.queries.ts': ['writeDeliveries', 'claimDelivery', 'settleDelivery'],
  'features/cloud/cloud.actions.ts': ['keepDeliveries', 'settleDeliveries', 'markAsked', 'learnNames'],
}

/** `DIE_AT`: for what happens before anybody could say so. */
let armed = { point: process.env.DIE_AT ?? '', nth: 0, signal: 'SIGKILL' as NodeJS.Signals }
process.on('message', order => {
  armed = order as typeof armed
  if (!isWatched(armed.point)) throw new Error(`Nothing is watched at ${armed.point}`)
})
process.channel?.unref()
process.on('disconnect', () => process.exit(1)) // the tests are gone: nothing of theirs stays behind

function isWatched(point: string) {
  const [module = '', name = ''] = point.split(/[#:]/)
  return watched[module]?.includes(name) ?? false
}

const reach = (point: string) => {
  if (point !== armed.point || armed.nth-- > 0) return
  armed.point = ''
  process.kill(process.pid, armed.signal)
}

type Call = (...given: unknown[]) => unknown
Object.assign(globalThis, {
  failpoint:
    (name: string, call: Call): Call =>
    (...given) => {
      reach(`${name}:before`)
      const result = call(...given)
      if (!(result instanceof Promise)) {
        queueMicrotask(() => reach(`${name}:after`))
        return result
      }
      return result.then(value => {
        reach(`${name}:after`)
        return value
      })
    },
  failpointIn:
    (name: string, method: string, make: Call): Call =>
    (...given) => {
      const made = make(...given) as Record<string, Call>
      return { ...made, [method]: Reflect.get(globalThis, 'failpoint')(`${name}.${method}`, made[method]) }
    },
})

const REAL = '?behind-failpoints'

registerHooks({
  load(url, context, next) {
    const file = Object.keys(watched).find(name => url.endsWith(`/src/${name}`))
    if (!file) return next(url.replace(REAL, ''), context)
    const real = JSON.stringify(url + REAL)
    const wrapped = watched[file]!.map(watch => {
      const [name, method] = watch.split('.')
      const call = `(...given) => real.${name}(...given)`
      return method
        ? `export const ${name} = globalThis.failpointIn('${file}#${name}', '${method}', ${call})`
        : `export const ${name} = globalThis.failpoint('${file}#${name}', ${call})`
    })
    return {
      format: 'module',
      shortCircuit: true,
      source: [`import * as real from ${real}`, `export * from ${real}`, ...wrapped].join('\n'),
    }
  },
})
