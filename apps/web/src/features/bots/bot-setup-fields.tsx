import { botOptions } from '@balcao/contract/bots.ts'
import { MultiSelect, NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../platform/session.tsx'
import { FieldGroup } from '../../ui/fieldset.tsx'
import { type Named, RowPicker } from '../../ui/row-picker.tsx'
import { connectionChoices } from '../connections/connections.choices.ts'
import { queueChoices } from '../queues/queues.choices.ts'
import type { SetupValues } from './bot-setup.dialog.tsx'
import { prompts } from './bots.choices.ts'
import { useBotText } from './bots.text.ts'

type Form = { form: UseFormReturnType<SetupValues> }

interface GeneralProps extends Form {
  prompt: Named | null
  onPrompt(prompt: Named | null): void
}

/** Name, connections and behaviour of the bot. */
export function GeneralSettings({ form, prompt, onPrompt }: GeneralProps) {
  const t = useBotText()
  const { data: connections = [] } = useQuery(connectionChoices)
  const mayConnect = useMay('bots:connect')
  const { botType, whatsapps } = form.values
  return (
    <FieldGroup legend={t('general')}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <TextInput data-autofocus label={t('name')} maxLength={50} {...form.getInputProps('name')} />
        <NativeSelect
          label={t('botType')}
          data={[
            { value: 'common', label: t('common') },
            { value: 'gpt', label: t('gpt') },
          ]}
          {...form.getInputProps('botType')}
        />
      </SimpleGrid>
      {botType === 'gpt' && (
        <RowPicker
          label={t('prompt')}
          list={prompts}
          minimum={0}
          failed={t('notLoaded')}
          value={prompt}
          onPick={picked => {
            onPrompt(picked)
            form.setFieldValue('botConfigId', picked?.id ?? null)
          }}
        />
      )}
      <MultiSelect
        label={t('connections')}
        description={t(mayConnect ? 'connectionsHint' : 'notConnected')}
        disabled={!mayConnect}
        data={connections.map(({ id, name }) => ({ value: String(id), label: name }))}
        clearButtonProps={{ 'aria-label': t('clear') }}
        clearable
        searchable
        error={form.errors.whatsapps}
        value={whatsapps.map(String)}
        onChange={ids => form.setFieldValue('whatsapps', ids.map(Number))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <NativeSelect
          label={t('burst')}
          description={t('burstHint')}
          data={botOptions.burstSeconds.map(count => ({
            value: String(count),
            label: count === 0 ? t('eachByItself') : t('seconds', { count }),
          }))}
          {...form.getInputProps('burstSeconds')}
        />
        <NativeSelect
          label={t('typingTime')}
          description={t('typingTimeHint')}
          data={botOptions.typingTime.map(value => ({
            value,
            label: t('seconds', { count: Number(value) }),
          }))}
          {...form.getInputProps('typingTime')}
        />
        <NativeSelect
          label={t('typeMenu')}
          data={botOptions.typeMenu.map(value => ({ value, label: t(`menu_${value}`) }))}
          description={form.values.typeMenu === 'poll' ? t('menuPollHint') : undefined}
          {...form.getInputProps('typeMenu')}
        />
        <NativeSelect
          label={t('reopen')}
          data={botOptions.reopenBotAfterHours.map(hours => ({
            value: String(hours),
            label: inHours(hours),
          }))}
          {...form.getInputProps('reopenBotAfterHours')}
        />
      </SimpleGrid>
      <Switch
        label={t('phoneStops')}
        description={t('phoneStopsHint')}
        {...form.getInputProps('phoneStopsBot', { type: 'checkbox' })}
      />
    </FieldGroup>
  )
}

function inHours(hours: number): string {
  const t = useBotText.read
  if (hours === 0) return t('never')
  return hours % 24 === 0 && hours > 24 ? t('days', { count: hours / 24 }) : t('hours', { count: hours })
}

/** How many errors are allowed, and the message after them. */
export function ErrorSettings({ form }: Form) {
  const t = useBotText()
  return (
    <FieldGroup legend={t('errors')}>
      <NativeSelect
        label={t('countErrors')}
        data={botOptions.countErrorsBot.map(count => ({
          value: String(count),
          label: count === 0 ? t('anyNumber') : String(count),
        }))}
        {...form.getInputProps('countErrorsBot')}
      />
      <Textarea
        label={t('messageOnErrors')}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4_096}
        {...form.getInputProps('messageOnErrorsBot')}
      />
    </FieldGroup>
  )
}

/** For a customer who chooses nothing (BOTSETUP-011 to 013). */
export function NoQueueSettings({ form }: Form) {
  const t = useBotText()
  const { data: queues = [] } = useQuery(queueChoices)
  const action = form.values.actionWithoutQueue
  return (
    <FieldGroup legend={t('withoutQueue')}>
      <NativeSelect
        label={t('action')}
        data={botOptions.actionWithoutQueue.map(value => ({
          value,
          label: t(value === 'none' ? 'nothing' : value),
        }))}
        {...form.getInputProps('actionWithoutQueue')}
      />
      {action !== 'none' && (
        <>
          <NativeSelect
            label={t('time')}
            data={botOptions.timeWithoutQueue.map(count => ({
              value: String(count),
              label: t('minutes', { count }),
            }))}
            {...form.getInputProps('timeWithoutQueue')}
          />
          <Textarea
            label={t('messageWithoutQueue')}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={4_096}
            {...form.getInputProps('messageOnWithoutQueue')}
          />
        </>
      )}
      {action === 'transferQueueDefault' && (
        <NativeSelect
          label={t('transferQueue')}
          data={[
            { value: '', label: t('choose'), disabled: true },
            ...queues.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('transferQueueId')}
        />
      )}
    </FieldGroup>
  )
}
