import { Button, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './bot-config.module.css'
import type { PromptForm } from './botConfigs.form.ts'
import { useBotConfigText } from './botConfigs.text.ts'

const MOST = 10

/** Messages sent in order when a dialog begins. */
export function InitialMessages({ form }: { form: PromptForm }) {
  const t = useBotConfigText()
  const { initialMessages } = form.values
  return (
    <fieldset className={classes.messages} aria-label={t('initialMessages')}>
      {initialMessages.map((_text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a message has no id but its position
        <div key={at} className={classes.message}>
          <Textarea
            label={t('initialMessage', { count: at + 1 })}
            autosize
            maxRows={6}
            {...form.getInputProps(`initialMessages.${at}`)}
          />
          <IconButton
            label={t('removeMessage', { count: at + 1 })}
            onClick={() => form.removeListItem('initialMessages', at)}
          >
            <IconTrash size={18} stroke={1.75} />
          </IconButton>
        </div>
      ))}
      <Button
        variant="subtle"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={initialMessages.length >= MOST}
        onClick={() => form.insertListItem('initialMessages', '')}
      >
        {t('addMessage')}
      </Button>
    </fieldset>
  )
}
