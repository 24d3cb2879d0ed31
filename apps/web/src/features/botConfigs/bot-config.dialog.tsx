import { DEFAULTS, holdsSecret } from '@balcao/contract/botConfigs.rules.ts'
import { type BotConfig, BotConfigInput } from '@balcao/contract/botConfigs.ts'
import { Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FieldSection } from '../../ui/fieldset.tsx'
import { RowDialog, type RowDialogProps } from '../../ui/list-screen/row.dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import classes from './bot-config.module.css'
import { oneBotConfig, saveBotConfig } from './botConfigs.api.ts'
import type { PromptForm, PromptValues } from './botConfigs.form.ts'
import { useBotConfigText } from './botConfigs.text.ts'
import { InitialMessages } from './initial-messages.tsx'
import { ModelField } from './model-field.tsx'
import { RangeField } from './range-field.tsx'

/** Adds a GPT configuration, or changes the one of the address. */
export function BotConfigDialog({ id, onClose }: RowDialogProps) {
  const t = useBotConfigText()
  return (
    <RowDialog
      id={id}
      row={oneBotConfig}
      title={t(id === null ? 'add' : 'edit')}
      size="full"
      onClose={onClose}
    >
      {config => (
        <div className={classes.form}>
          <RowForm
            schema={BotConfigInput}
            initialValues={valuesOf(config)}
            row={config}
            isNew={config === null}
            save={(values, _changed, seen) => saveBotConfig(id, values, seen)}
            done={t('saved')}
            onClose={onClose}
          >
            {form => (
              <>
                <Prompt form={form} />
                <Handover form={form} />
                <Numbers form={form} />
              </>
            )}
          </RowForm>
        </div>
      )}
    </RowDialog>
  )
}

function Prompt({ form }: { form: PromptForm }) {
  const t = useBotConfigText()
  return (
    <FieldSection legend={t('conversation')} spaced>
      <TextInput data-autofocus label={t('name')} maxLength={100} {...form.getInputProps('name')} />
      <ModelField form={form} />
      <Textarea
        label={t('context')}
        description={t('contextHint')}
        autosize
        minRows={6}
        maxRows={18}
        maxLength={32_000}
        {...form.getInputProps('context')}
      />
      {holdsSecret(form.values.context) && (
        <p role="status" className={classes.warning}>
          {t('secret')}
        </p>
      )}
      <Switch
        label={t('readsNotes')}
        description={t('readsNotesHint')}
        {...form.getInputProps('readsNotes', { type: 'checkbox' })}
      />
      <InitialMessages form={form} />
      <TextInput
        label={t('ignoreWords')}
        description={t('ignoreWordsHint')}
        {...form.getInputProps('ignoreWords')}
      />
      <TextInput label={t('stop')} description={t('stopHint')} {...form.getInputProps('stop')} />
    </FieldSection>
  )
}

function Handover({ form }: { form: PromptForm }) {
  const t = useBotConfigText()
  const { data: queues = [] } = useQuery(queueChoices)
  const { lastQueueId } = form.values
  return (
    <FieldSection legend={t('handover')} spaced>
      <RangeField form={form} name="maxMessagesForDialog" />
      <Textarea
        label={t('transferMessage')}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('messageForMaxMessagesExceeded')}
      />
      <Textarea
        label={t('inactivityMessage')}
        autosize
        minRows={2}
        maxRows={8}
        {...form.getInputProps('inactivityMessage')}
      />
      <Select
        label={t('lastQueue')}
        description={t('lastQueueHint')}
        clearable
        data={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('lastQueueId')}
        value={lastQueueId === null ? null : String(lastQueueId)}
        onChange={picked => form.setFieldValue('lastQueueId', picked === null ? null : Number(picked))}
      />
    </FieldSection>
  )
}

function Numbers({ form }: { form: PromptForm }) {
  const t = useBotConfigText()
  return (
    <>
      <FieldSection legend={t('pace')} spaced>
        <div className={classes.ranges}>
          {(['firstDelay', 'lastDelay', 'typingSpeed'] as const).map(name => (
            <RangeField key={name} form={form} name={name} />
          ))}
        </div>
      </FieldSection>
      <FieldSection legend={t('parameters')} spaced>
        <div className={classes.ranges}>
          {(['temperature', 'maxTokens', 'topP', 'frequencyPenalty', 'presencePenalty'] as const).map(
            name => (
              <RangeField key={name} form={form} name={name} />
            ),
          )}
        </div>
      </FieldSection>
    </>
  )
}

function valuesOf(config: BotConfig | null): PromptValues {
  const unset = {
    ...DEFAULTS,
    ...{ name: '', context: '', ignoreWords: '', stop: '', initialMessages: [] },
    ...{ lastQueueId: null, readsNotes: false },
  }
  if (!config) return unset
  const { id: _id, companyId: _company, isDeleted: _gone, ...kept } = config
  return kept
}
