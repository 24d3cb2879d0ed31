import {
  MOST_DELAY_MS,
  type ScheduledActionName,
  scheduledActionNames,
} from '@balcao/contract/scheduledActions.ts'
import { Button, type InputWrapperProps, NativeSelect, NumberInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { useBranding } from '../../shell/branding.ts'
import classes from './scheduled-actions.module.css'
import { actionList, addAction } from './scheduledActions.api.ts'
import { useScheduledActionText } from './scheduledActions.text.ts'

const STEP_MS = 500
const BELOW: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error']

interface Values {
  action: ScheduledActionName
  delay: number | ''
  json: string
}

/** What is done, when, and with which data. An empty delay is none. */
export function ActionForm() {
  const t = useScheduledActionText()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const { hoursToAutoCloseTickets: hours } = useBranding()
  const form = useForm<Values>({
    initialValues: { action: scheduledActionNames[0], delay: 0, json: '{}' },
    validate: { json: json => (objectIn(json) ? null : t('badJson')) },
  })
  async function add({ action, delay, json }: Values) {
    setBusy(true)
    // a refusal is shown too, which the documents leave to the log (SACT-015)
    await addAction(action, objectIn(json)!, delay || 0).catch(notify.failed)
    await client.invalidateQueries({ queryKey: actionList.queryKey })
    setBusy(false)
  }
  return (
    <form className={classes.form} onSubmit={form.onSubmit(add)} noValidate>
      <NativeSelect
        label={t('action')}
        description={
          form.values.action === 'closeInactiveTickets' && hours === null ? t('closesNone') : undefined
        }
        inputWrapperOrder={BELOW}
        data={scheduledActionNames.map(value => ({ value, label: t(value) }))}
        {...form.getInputProps('action')}
      />
      <NumberInput
        label={t('delay')}
        min={0}
        max={MOST_DELAY_MS}
        step={STEP_MS}
        allowDecimal={false}
        allowNegative={false}
        clampBehavior="strict"
        {...form.getInputProps('delay')}
      />
      <Textarea
        label={t('data')}
        description={form.values.action === 'testAction' ? t('testHint') : undefined}
        inputWrapperOrder={BELOW}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        maxLength={20_000}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('json')}
      />
      <Button type="submit" loading={busy} leftSection={<IconPlus size={16} />}>
        {t('add')}
      </Button>
    </form>
  )
}

/** The object in the text; an empty text is an empty one. Null for anything else. */
function objectIn(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json.trim() || '{}')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
