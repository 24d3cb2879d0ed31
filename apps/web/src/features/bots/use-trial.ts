import { logicOf } from '@balcao/contract/bots.logic.rules.ts'
import {
  type BotEvent,
  type BotStep,
  minutesAwaited,
  newBotState,
  step,
} from '@balcao/contract/bots.rules.ts'
import type { Script } from '@balcao/contract/bots.script.rules.ts'
import type { BotTicket } from '@balcao/contract/bots.turn.rules.ts'
import { useState } from 'react'
import { useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useBotTrialText } from './bots.trial.text.ts'

interface Turn {
  received: string | null
  step: BotStep
}

type Happening = BotEvent extends infer E
  ? E extends BotEvent
    ? Omit<E, 'at' | 'ticket' | 'values'>
    : never
  : never

const begun: BotTicket = { status: 'pending', isGroup: false, queueId: null, tags: [], categoryIds: [] }

/** The hours that conditions find: those of the company now, or others to try them. */
export type TrialHours = 'now' | 'open' | 'closed'

/**
 * A conversation with a bot as saved, by the interpreter that the server runs; nothing is sent to the server.
 */
export function useTrial(saved: Script, hours: TrialHours) {
  const t = useBotTrialText()
  const { name } = useUser()
  const [turns, setTurns] = useState<Turn[]>([])
  const [ticket, setTicket] = useState(begun)
  const state = turns.at(-1)?.step.state ?? newBotState()
  const isOpen = hours === 'now' ? saved.around.isOpen : hours === 'open'
  const script = { ...saved, around: { ...saved.around, isOpen } }

  function happen(event: Happening, received: string | null) {
    const now = clock()
    const next = step(script, state, {
      at: Date.now(),
      ticket,
      values: {
        cliente: t('customer'),
        atendente: name,
        protocolo: `${now.format('YYYYMMDD')}0042`,
        data: now.format('DD/MM/YYYY'),
        horas: now.format('HH:mm'),
      },
      ...event,
    })
    setTurns(all => [...all, { received, step: next }])
    setTicket(before => ticketAfter(before, next))
  }
  return {
    turns,
    waits: state.mode !== 'calling' && turns.length > 0 && minutesAwaited(script, state, ticket, 1) !== null,
    isCalling: state.mode === 'calling',
    say: (text: string) =>
      happen({ kind: 'wrote', lines: [{ text, mediaType: null, choice: null, unread: false }] }, text),
    /** Another system answers with the name of each variable, or fails. */
    answer(isOk: boolean) {
      const commandId = state.commandId!
      const { fills } = logicOf(script.byId.get(commandId) ?? { logic: null })
      const filled = Object.fromEntries(fills.map(({ variable }) => [variable, variable]))
      happen({ kind: 'called', commandId, isOk, filled }, null)
    },
    wait: () => happen({ kind: 'waited' }, null),
    again() {
      setTurns([])
      setTicket(begun)
    },
  }
}

function ticketAfter(ticket: BotTicket, { does }: BotStep): BotTicket {
  let after = ticket
  for (const act of does) {
    if (act.kind === 'tag') after = { ...after, tags: [...after.tags, ...act.tagIds.map(id => ({ id }))] }
    if (act.kind === 'categorize')
      after = { ...after, categoryIds: [...after.categoryIds, ...act.categoryIds] }
    if (act.kind === 'move') after = { ...after, queueId: act.queueId }
    // a new message of the customer opens a new ticket, as on the server
    if (act.kind === 'close') after = { ...after, status: 'closed' }
  }
  return after
}
