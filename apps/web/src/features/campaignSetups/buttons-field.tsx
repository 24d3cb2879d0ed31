import { type ButtonsMessage, type CampaignButton, MAX_BUTTONS } from '@balcao/contract/campaignSetups.ts'
import { Button, NativeSelect, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { FormErrors } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useUser } from '../../platform/session.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RowPicker } from '../../ui/row-picker.tsx'
import { categoryChoices } from '../categories/categories.api.ts'
import { flowList, oneFlow } from '../flows/flows.api.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import { tagChoices } from '../tags/tags.api.ts'
import { useSetupFormText } from './campaignSetups.form.text.ts'
import classes from './campaignSetups.module.css'

interface Props {
  value: ButtonsMessage
  errors: FormErrors
  onChange(value: ButtonsMessage): void
}

const AT = 'jsonButtonOrList'

const botFlows = (words: string) => flowList(words, { type: 'Bot' })

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
        <ButtonFields
          key={button.buttonId}
          button={button}
          number={at + 1}
          error={errors[`${AT}.buttons.${at}.buttonText.displayText`]}
          onChange={changed => onChange({ ...value, buttons: buttons.with(at, changed) })}
          onRemove={
            buttons.length > 1
              ? () => onChange({ ...value, buttons: buttons.filter(one => one !== button) })
              : null
          }
        />
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

interface ButtonProps {
  button: CampaignButton
  number: number
  error: ReactNode
  onChange(button: CampaignButton): void
  onRemove: (() => void) | null
}

/** The text of a button, and what its answer does. */
function ButtonFields({ button, number, error, onChange, onRemove }: ButtonProps) {
  const t = useSetupFormText()
  const { data: tags = [] } = useQuery(tagChoices)
  const { data: categories = [] } = useQuery(categoryChoices)
  const { data: queues = [] } = useQuery(queueChoices)
  const acts = [
    ['tagId', tags],
    ['categoryId', categories],
    ['queueId', queues],
  ] as const
  return (
    <>
      <div className={classes.button}>
        <TextInput
          label={t('button', { number })}
          maxLength={20}
          dir="auto"
          value={button.buttonText.displayText}
          error={error}
          onChange={event => onChange({ ...button, ...named(event.currentTarget.value) })}
        />
        {onRemove && (
          <IconButton label={t('removeButton', { number })} onClick={onRemove}>
            <IconTrash size={18} stroke={1.75} />
          </IconButton>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing={8} verticalSpacing={8}>
        {acts.map(([field, rows]) => (
          <NativeSelect
            key={field}
            size="xs"
            aria-label={t(`${field}Of`, { number })}
            data={[
              { value: '', label: t(`no_${field}`) },
              ...rows.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
            value={String(button[field] ?? '')}
            onChange={event => onChange({ ...button, [field]: Number(event.currentTarget.value) || null })}
          />
        ))}
      </SimpleGrid>
      <ButtonStart button={button} number={number} onChange={onChange} />
    </>
  )
}

/** What begins with the answer: a flow, or the bot of the connection. */
function ButtonStart({ button, number, onChange }: Pick<ButtonProps, 'button' | 'number' | 'onChange'>) {
  const t = useSetupFormText()
  const { company } = useUser()
  const { flowId = null, startsBot = false } = button
  const [isFlow, setFlow] = useState(flowId !== null)
  const { data: flow = null } = useQuery({ ...oneFlow(flowId ?? 0), enabled: flowId !== null })
  const starts = isFlow ? 'flow' : startsBot ? 'bot' : ''
  const choices = [
    { value: '', label: t('startsNothing') },
    ...(company.enableBots || startsBot ? [{ value: 'bot', label: t('startsBot') }] : []),
    ...(company.enableFlows || isFlow ? [{ value: 'flow', label: t('startsFlow') }] : []),
  ]
  if (choices.length === 1) return null
  return (
    <SimpleGrid cols={{ base: 1, xs: isFlow ? 2 : 1 }} spacing={8} verticalSpacing={8}>
      <NativeSelect
        size="xs"
        aria-label={t('startOf', { number })}
        data={choices}
        value={starts}
        onChange={event => {
          const chosen = event.currentTarget.value
          setFlow(chosen === 'flow')
          onChange({ ...button, flowId: null, startsBot: chosen === 'bot' })
        }}
      />
      {isFlow && (
        <RowPicker
          label={t('flowOf', { number })}
          list={botFlows}
          minimum={0}
          failed={t('flowsFailed')}
          value={flow}
          onPick={picked => onChange({ ...button, flowId: picked?.id ?? null })}
        />
      )}
    </SimpleGrid>
  )
}

const named = (displayText: string) => ({ buttonText: { displayText }, type: 1 as const })

function freeId(buttons: ButtonsMessage['buttons']): string {
  const used = new Set(buttons.map(({ buttonId }) => buttonId))
  let number = 1
  while (used.has(`id${number}`)) number++
  return `id${number}`
}
