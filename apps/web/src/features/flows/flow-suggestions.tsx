import type { Flow, FlowAction } from '@balcao/contract/flows.ts'
import { calledBy, filled, type Placeholders } from '@balcao/contract/placeholders.rules.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { folded } from '@balcao/contract/words.rules.ts'
import { type RefObject, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { clock } from '../../platform/time.ts'
import { useSearchedList } from '../../ui/list-screen/use-list.ts'
import { SuggestionList } from '../../ui/suggestions/suggestion-list.tsx'
import { kindIcons } from './action-kinds.ts'
import classes from './flow-suggestions.module.css'
import { chatFlows, playFlow } from './flows.api.ts'
import { usePlayText } from './flows.play.text.ts'

interface Props {
  ticket: Ticket
  /** Where it is written; its keys are the list's while the list is open. */
  input: RefObject<HTMLTextAreaElement | null>
  body: string
  /** Replaces the written text. */
  onPick(text: string): void
}

/** The search text of a text that begins with `;`; null for any other. */
const wordsAfter = (text: string) => (text.startsWith(';') ? folded(text.slice(1).trim()) : null)

/** Flows that match a text beginning with `;` (MSG-026): the picked one is played to the customer. */
export function FlowSuggestions(props: Props) {
  const { company } = useUser()
  const words = wordsAfter(props.body)
  const [isClosed, setClosed] = useState(false)
  if (words === null && isClosed) setClosed(false)
  if (words === null || isClosed || !company.enableFlows) return null
  return <Suggestions {...props} words={words} onClose={() => setClosed(true)} />
}

function Suggestions({ ticket, input, words, onPick, onClose }: Props & { words: string; onClose(): void }) {
  const t = usePlayText()
  const { name } = useUser()
  const list = useSearchedList(chatFlows, words)
  // a failed search shows nothing (MSG-027)
  const rows = list.isError ? [] : list.rows.filter(one => folded(one.name).includes(words))
  const values: Placeholders = {
    cliente: calledBy(ticket.contact),
    atendente: name,
    protocolo: ticket.protocol,
    data: clock().format('DD/MM/YYYY'),
    horas: clock().format('HH:mm'),
  }
  function play(flow: Flow) {
    onPick('')
    playFlow(ticket.id, flow.id).catch(notify.failed)
  }
  return (
    <SuggestionList
      input={input}
      label={t('flows')}
      words={words}
      rows={rows}
      isWaiting={!list.isError && (list.isPending || list.isSearching)}
      paging={list}
      keyOf={one => one.id}
      option={one => <span className={classes.name}>{one.name}</span>}
      preview={one => (
        <ol className={classes.steps}>
          {one.flowActions.map(action => (
            <Step key={action.order} action={action} values={values} />
          ))}
        </ol>
      )}
      pickLabel={t('start')}
      count={t(list.hasNextPage ? 'foundMore' : 'found', { count: rows.length })}
      onPick={play}
      onClose={onClose}
    />
  )
}

function Step({ action, values }: { action: FlowAction; values: Placeholders }) {
  const t = usePlayText()
  const { actionType: kind, param, body, mediaFileName } = action
  const Icon = kindIcons[kind]
  const summary = [mediaFileName, filled(body, values)].filter(Boolean).join(' · ')
  return (
    <li>
      <Icon size={14} stroke={2} aria-hidden />
      <span>{kind === 'SendText' || kind === 'SendMedia' ? summary : t(kind, { count: param })}</span>
    </li>
  )
}
