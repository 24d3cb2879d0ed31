import { type ButtonsMessage, MAX_BUTTONS } from '@balcao/contract/campaignSetups.ts'
import { Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSetupFormText } from './campaignSetups.form.text.ts'
import classes from './campaignSetups.module.css'

interface Props {
  value: ButtonsMessage
  errors: FormErrors
  onChange(value: ButtonsMessage): void
}

const AT = 'jsonButtonOrList'

/** The question of a campaign and what it may be answered with. */
export function ButtonsField({ value, errors, onChange }: Props) {
  const t = useSetupFormText()
  const { buttons } = value
  function add() {
    if (buttons.length >= MAX_BUTTONS) return notify.warn(t('tooManyButtons'), { id: 'campaign buttons' })
    onChange({ ...value, buttons: [...buttons, { ...named(''), buttonId: freeId(buttons) }] })
  }
  return (
    <Stack gap={10} className={classes.buttons}>
      <Textarea
        label={t('buttonsText')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={1_024}
        dir="auto"
        value={value.text}
        error={errors[`${AT}.text`]}
        onChange={event => onChange({ ...value, text: event.currentTarget.value })}
      />
      {buttons.map((button, at) => (
        <div key={button.buttonId} className={classes.button}>
          <TextInput
            label={t('button', { number: at + 1 })}
            maxLength={20}
            dir="auto"
            value={button.buttonText.displayText}
            error={errors[`${AT}.buttons.${at}.buttonText.displayText`]}
            onChange={event => {
              const { buttonText } = named(event.currentTarget.value)
              onChange({ ...value, buttons: buttons.with(at, { ...button, buttonText }) })
            }}
          />
          {buttons.length > 1 && (
            <IconButton
              label={t('removeButton', { number: at + 1 })}
              onClick={() => onChange({ ...value, buttons: buttons.filter(one => one !== button) })}
            >
              <IconTrash size={18} stroke={1.75} />
            </IconButton>
          )}
        </div>
      ))}
      <div>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          {t('addButton')}
        </Button>
      </div>
      <TextInput
        label={t('buttonsFooter')}
        maxLength={60}
        dir="auto"
        value={value.footer}
        onChange={event => onChange({ ...value, footer: event.currentTarget.value })}
      />
      <Text size="xs" c="dimmed">
        {t('buttonsHint')}
      </Text>
    </Stack>
  )
}

const named = (displayText: string) => ({ buttonText: { displayText }, type: 1 as const })

function freeId(buttons: ButtonsMessage['buttons']): string {
  const used = new Set(buttons.map(({ buttonId }) => buttonId))
  let number = 1
  while (used.has(`id${number}`)) number++
  return `id${number}`
}
