import { awaitsChoice, type BotEvent, type BotStep, newBotState, step } from '@balcao/contract/bots.rules.ts'
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

const begun: BotTicket = { status: 'pending', isGroup: false, queueId: null }

/**
 * A conversation with a bot as saved, by the interpreter that the server runs; nothing is sent to the server.
 */
export function useTrial(script: Script) {
  const t = useBotTrialText()
  const { name } = useUser()
  const [turns, setTurns] = useState<Turn[]>([])
  const [ticket, setTicket] = useState(begun)
  const state = turns.at(-1)?.step.state ?? newBotState()

  function happen(event: Pick<BotEvent, 'kind'>, received: string | null) {
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
      ...(event.kind === 'wrote'
        ? { kind: 'wrote', lines: [{ text: received ?? '', mediaType: null, choice: null, unread: false }] }
        : { kind: 'waited' }),
    })
    setTurns(all => [...all, { received, step: next }])
    setTicket(before => ticketAfter(before, next))
  }
  return {
    turns,
    waits: turns.length > 0 && awaitsChoice(script, state, ticket),
    say: (text: string) => happen({ kind: 'wrote' }, text),
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
    if (act.kind === 'move') after = { ...after, queueId: act.queueId }
    // a new message of the customer opens a new ticket, as on the server
    if (act.kind === 'close') after = { ...after, status: 'closed' }
  }
  return after
}
