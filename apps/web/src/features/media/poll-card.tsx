import { votersOf } from '@balcao/contract/kinds.rules.ts'
import type { PollData } from '@balcao/contract/kinds.ts'
import { useState } from 'react'
import classes from './cards.module.css'
import { Formatted } from './formatted.tsx'
import { useCardText } from './media.cards.text.ts'

/** So many names are shown of one choice until all are asked for. */
const NAMED = 10

/** A poll with its votes: how many, and whose. */
export function PollCard({ question, poll }: { question: string; poll: PollData }) {
  const t = useCardText()
  const voters = votersOf(poll)
  const people = poll.votes.filter(({ choices }) => choices.length > 0).length
  const most = Math.max(1, ...voters.map(names => names.length))
  return (
    <div className={classes.card}>
      <strong>
        <Formatted text={question} />
      </strong>
      <span>{t(poll.isMultiple ? 'several' : 'one')}</span>
      <ul aria-label={t('choices')}>
        {poll.choices.map((choice, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two choices may read the same, and none moves
          <li key={at} className={classes.choice}>
            <span>{choice}</span>
            <span>{t('votes', { count: voters[at]!.length })}</span>
            <meter min={0} max={most} value={voters[at]!.length} aria-hidden />
            {voters[at]!.length > 0 && <Voters names={voters[at]!} />}
          </li>
        ))}
      </ul>
      <span role="status">{t('voted', { count: people })}</span>
    </div>
  )
}

/** Names of those who chose it; of many the first until all are asked for. */
function Voters({ names }: { names: string[] }) {
  const t = useCardText()
  const [isOpen, setOpen] = useState(false)
  const known = names.filter(Boolean)
  const rest = known.length - NAMED
  return (
    <small data-hint={known.join(', ')}>
      {known.filter((_name, at) => isOpen || at < NAMED).join(', ')}
      {rest > 0 && !isOpen && (
        <button
          type="button"
          className={classes.more}
          aria-label={t('allVoters')}
          onClick={() => setOpen(true)}
        >
          +{rest}
        </button>
      )}
    </small>
  )
}
