import type { BotSession } from '@balcao/contract/bots.talk.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Group } from '@mantine/core'
import { IconPaperclip, IconRobot, IconRobotOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useViewer } from '../../platform/session.tsx'
import { Banner } from '../../ui/status.tsx'
import { botSession, giveBack } from './bots.api.ts'
import { useBotBarText } from './bots.bar.text.ts'

const speaking = new Set<string>(['menu', 'question', 'prompt', 'calling'])

interface Props {
  ticket: Ticket
  onAccept(): void
  /** Shows a message of the conversation. */
  onJump(messageId: string): void
}

/**
 * Who answers: while the bot does, its conversation so far and the button to take the ticket; later the
 * button to return it to the bot.
 */
export function BotBar({ ticket, onAccept, onJump }: Props) {
  const t = useBotBarText()
  const viewer = useViewer()
  const { data } = useQuery(botSession(ticket.id))
  const [busy, setBusy] = useState(false)
  const session = data?.session
  if (!session || ticket.status === 'closed') return null
  const isAnswering = ticket.status === 'pending' && speaking.has(session.mode)
  const mine = ticket.status === 'open' && ticket.userId === viewer.id
  const back = async () => {
    setBusy(true)
    await giveBack(ticket.id).then(() => notify.done(t('givenBack')), notify.failed)
    setBusy(false)
  }
  return (
    <Banner
      tone={isAnswering ? 'info' : 'neutral'}
      icon={isAnswering ? <IconRobot size={17} /> : <IconRobotOff size={17} />}
      action={
        <Group gap={6} wrap="nowrap">
          {isAnswering && (
            <Button size="xs" variant="default" onClick={onAccept}>
              {t('take')}
            </Button>
          )}
          {mine && (
            <Button size="xs" variant="default" loading={busy} onClick={() => void back()}>
              {t('giveBack')}
            </Button>
          )}
        </Group>
      }
    >
      {isAnswering ? t(session.mode as 'menu', { number: session.number || '·' }) : t('quiet')}
      {session.answers.map(({ number, question, text, file }) => (
        <span key={number} style={{ display: 'block' }}>
          {question} <strong>{text}</strong>
          {file && (
            <Button
              size="compact-xs"
              variant="subtle"
              leftSection={<IconPaperclip size={14} aria-hidden />}
              onClick={() => onJump(file.messageId)}
            >
              {t('file')}
            </Button>
          )}
        </span>
      ))}
      {othersThanAnswers(session).map(([name, value]) => (
        <span key={name} style={{ display: 'block' }}>
          {name} <strong>{value}</strong>
        </span>
      ))}
    </Banner>
  )
}

/** What other systems filled: answers are shown with their questions. */
const othersThanAnswers = ({ variables, answers }: BotSession) =>
  Object.entries(variables).filter(([, value]) => value !== '' && answers.every(({ text }) => text !== value))
