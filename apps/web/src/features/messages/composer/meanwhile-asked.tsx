import type { Message } from '@balcao/contract/messages.ts'
import { Button, Group } from '@mantine/core'
import { briefly } from '../../media/words.ts'
import { useMeanwhileText } from './composer.meanwhile.text.ts'
import classes from './meanwhile.module.css'

const MOST = 3

interface Props {
  messages: Message[]
  onSend(): void
  onEdit(): void
}

/** What came in between, and whether the answer is still to be sent. The focus stays in the text: Enter and Esc are its keys. */
export default function MeanwhileAsked({ messages, onSend, onEdit }: Props) {
  const t = useMeanwhileText()
  return (
    <div className={classes.asked} role="alert">
      <strong>{t('answered')}</strong>
      <ul>
        {messages.slice(-MOST).map(message => (
          <li key={message.id}>
            <strong>{message.user?.name ?? t('phone')}:</strong> {briefly(message)}
          </li>
        ))}
        {messages.length > MOST && <li>{t('more', { count: messages.length - MOST })}</li>}
      </ul>
      <Group gap={8}>
        <Button type="button" size="compact-sm" onClick={onSend}>
          {t('send')}
        </Button>
        <Button
          type="button"
          size="compact-sm"
          variant="default"
          onMouseDown={event => event.preventDefault()}
          onClick={onEdit}
        >
          {t('edit')}
        </Button>
        <span className={classes.keys}>{t('keys')}</span>
      </Group>
    </div>
  )
}
