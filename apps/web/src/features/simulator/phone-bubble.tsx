import { pollIn } from '@balcao/contract/kinds.rules.ts'
import type { PollData } from '@balcao/contract/kinds.ts'
import { cardsIn, choicesIn } from '@balcao/contract/media.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { SimulatedMessage } from '@balcao/contract/simulator.ts'
import { Menu } from '@mantine/core'
import { IconArrowBackUp, IconDotsVertical, IconPencil, IconPin, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { clock } from '../../platform/time.ts'
import { MessageContent } from '../media/content.tsx'
import { briefly } from '../media/words.ts'
import type { Holding } from './phone-chat.tsx'
import classes from './simulator.module.css'
import { useSimulatorText } from './simulator.text.ts'

const SIGNS = ['👍', '❤️', '😂', '😮', '😢', '🙏']

interface Props {
  message: SimulatedMessage
  quoted: SimulatedMessage | undefined
  onHold(holding: Holding): void
  onReact(emoji: string): void
  onRemove(): void
  /** Chooses one of the buttons or list entries that the company sent. */
  onChoose(choice: string): void
  /** Votes by the numbers of the choices; none withdraw the vote. Resolves when the vote is shown, or was refused. */
  onVote(choices: number[]): Promise<unknown>
}

/** One message on the customer's screen, and the customer's actions on it. */
export function PhoneBubble(props: Props) {
  const { message, quoted, onHold, onReact, onRemove, onChoose, onVote } = props
  const t = useSimulatorText()
  return (
    <div
      className={classes.row}
      data-company={message.fromMe || undefined}
      data-customer={!message.fromMe || undefined}
    >
      <article className={classes.bubble} data-company={message.fromMe || undefined}>
        {message.isPinned && <IconPin size={14} role="img" aria-label={t('pinned')} />}
        {message.isForwarded && <em className={classes.dim}>{t('forwarded')}</em>}
        {quoted && (
          <blockquote className={classes.quote}>
            {quoted.isDeleted ? t('deleted') : briefly(quoted)}
          </blockquote>
        )}
        <Content message={message} onChoose={onChoose} onVote={onVote} />
        <time dateTime={message.createdAt}>
          {message.isEdited && `${t('edited')} `}
          {clock(message.createdAt).format('HH:mm')}
        </time>
        {message.reactions.length > 0 && (
          <span
            className={classes.signs}
            role="img"
            aria-label={message.reactions.map(one => one.emoji).join(' ')}
          >
            {message.reactions.map(({ emoji, fromMe }) => (
              <span key={`${emoji} ${fromMe}`}>{emoji}</span>
            ))}
          </span>
        )}
      </article>
      {!message.isDeleted && (
        <BubbleActions message={message} onHold={onHold} onReact={onReact} onRemove={onRemove} />
      )}
    </div>
  )
}

function Content({ message, onChoose, onVote }: Pick<Props, 'message' | 'onChoose' | 'onVote'>) {
  const t = useSimulatorText()
  if (message.isDeleted) return <em className={classes.dim}>{t('deleted')}</em>
  const cards = message.mediaType === 'vcard' ? cardsIn(message) : undefined
  if (cards)
    return cards.map(({ name, phones }) => (
      <p key={name} className={classes.card}>
        <strong>{name}</strong> {phones.map(({ number }) => number).join(', ')}
      </p>
    ))
  const poll = message.fromMe && message.mediaType === 'poll' ? pollIn(message) : null
  if (poll) return <Poll message={message} poll={poll} onVote={onVote} />
  const choices = message.fromMe ? choicesIn(message) : undefined
  if (choices) return <Offer message={message} choices={choices} onChoose={onChoose} />
  return <MessageContent message={asMessage(message)} />
}

function Poll({ message, poll, onVote }: Pick<Props, 'message' | 'onVote'> & { poll: PollData }) {
  const chosen = poll.votes[0]?.choices ?? []
  // the next vote changes this one, which is not shown yet
  const [isVoting, setIsVoting] = useState(false)
  const vote = (choices: number[]) => {
    setIsVoting(true)
    void onVote(choices).finally(() => setIsVoting(false))
  }
  const change = (at: number) => {
    if (chosen.includes(at)) return chosen.filter(other => other !== at)
    return poll.isMultiple ? [...chosen, at] : [at]
  }
  return (
    <>
      <MessageContent message={asMessage({ ...message, mediaType: null, dataJson: null })} />
      <div className={classes.choices}>
        {poll.choices.map((choice, at) => (
          <PollOption
            // biome-ignore lint/suspicious/noArrayIndexKey: two choices may read the same, and none moves
            key={at}
            label={choice}
            isChosen={chosen.includes(at)}
            isDisabled={isVoting}
            onPress={() => vote(change(at))}
          />
        ))}
      </div>
    </>
  )
}

interface OptionProps {
  label: string
  isChosen: boolean
  isDisabled: boolean
  onPress(): void
}

function PollOption({ label, isChosen, isDisabled, onPress }: OptionProps) {
  return (
    <button type="button" aria-pressed={isChosen} disabled={isDisabled} onClick={onPress}>
      {isChosen && '✓ '}
      {label}
    </button>
  )
}

function Offer({ message, choices, onChoose }: Pick<Props, 'message' | 'onChoose'> & { choices: string[] }) {
  return (
    <>
      <MessageContent message={asMessage({ ...message, dataJson: null })} />
      <div className={classes.choices}>
        {choices.map((choice, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two choices may read the same, and none moves
          <button key={at} type="button" onClick={() => onChoose(choice)}>
            {choice}
          </button>
        ))}
      </div>
    </>
  )
}

function BubbleActions({
  message,
  onHold,
  onReact,
  onRemove,
}: Omit<Props, 'quoted' | 'onChoose' | 'onVote'>) {
  const t = useSimulatorText()
  const mine = message.reactions.find(({ fromMe }) => !fromMe)?.emoji
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={classes.more} aria-label={t('more')}>
          <IconDotsVertical size={18} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.pick}>
          {SIGNS.map(emoji => (
            <Menu.Item
              key={emoji}
              aria-label={t('reactWith', { emoji })}
              onClick={() => onReact(emoji === mine ? '' : emoji)}
            >
              {emoji}
            </Menu.Item>
          ))}
        </div>
        <Menu.Item
          leftSection={<IconArrowBackUp size={16} />}
          onClick={() => onHold({ what: 'answer', message })}
        >
          {t('reply')}
        </Menu.Item>
        {!message.fromMe && message.mediaType === null && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onHold({ what: 'edit', message })}>
            {t('edit')}
          </Menu.Item>
        )}
        {!message.fromMe && (
          <Menu.Item leftSection={<IconTrash size={16} />} color="var(--error)" onClick={onRemove}>
            {t('remove')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const noContact = { id: 0, name: '' }

/** The phone renders messages as the product does; values only a company has are left empty. */
const asMessage = (message: SimulatedMessage): Message => ({
  ...message,
  ticketId: 0,
  contactId: 0,
  read: true,
  isPrivate: false,
  failReason: '',
  dueAt: null,
  quotedMsg: null,
  reactions: [],
  referral: null,
  editedAt: null,
  source: 'contact',
  user: null,
  contact: noContact,
  author: null,
  ticket: { id: 0, protocol: '', queueId: null },
  version: 1,
  position: 0,
})
