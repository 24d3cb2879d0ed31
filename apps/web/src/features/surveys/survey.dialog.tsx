import { SurveySettings } from '@balcao/contract/surveys.ts'
import { Button, Group, MultiSelect, NumberInput, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSchemaForm } from '../../platform/forms.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { saveSurvey, surveySettings } from './surveys.api.ts'
import { useSurveyText } from './surveys.text.ts'

/** How the company asks after a closing. */
export function SurveyDialog({ onClose }: { onClose(): void }) {
  const t = useSurveyText()
  const { data } = useQuery(surveySettings)
  return (
    <Dialog title={t('settings')} onClose={onClose} size={620}>
      {data && <Form settings={data} onClose={onClose} />}
    </Dialog>
  )
}

const NUMBERS = [
  ['everyHours', 1, 8_760],
  ['answerWithinHours', 1, 720],
  ['commentMinutes', 0, 1_440],
] as const

function Form({ settings, onClose }: { settings: SurveySettings; onClose(): void }) {
  const t = useSurveyText()
  const { data: queues = [] } = useQuery(queueChoices)
  const form = useSchemaForm(SurveySettings, { initialValues: settings })
  const meanwhile = useMeanwhile()
  const save = useMutation({
    mutationFn: ({ values, seen }: { values: typeof form.values; seen: SurveySettings }) =>
      saveSurvey(SurveySettings.parse(values), seen),
    onSuccess() {
      notify.done(t('saved'))
      onClose()
    },
    onError: (error, { values }) =>
      meanwhile.asks(error, current => save.mutate({ values, seen: current as SurveySettings })) ||
      form.refused(error) ||
      notify.failed(error),
  })
  return (
    <form onSubmit={form.onSubmit(values => save.mutate({ values, seen: settings }))} noValidate>
      {meanwhile.question}
      <Stack gap={12}>
        <Switch
          data-autofocus
          label={t('enabled')}
          description={t('enabledHint')}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <Textarea label={t('question')} autosize minRows={2} {...form.getInputProps('question')} />
        <Group gap={8} grow preventGrowOverflow={false}>
          {form.values.words.map((_word, at) => (
            <TextInput
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is the score
              key={at}
              label={t('word', { score: at + 1 })}
              maxLength={20}
              {...form.getInputProps(`words.${at}`)}
            />
          ))}
        </Group>
        <Textarea label={t('thanks')} autosize minRows={2} {...form.getInputProps('thanks')} />
        {NUMBERS.map(([name, min, max]) => (
          <NumberInput
            key={name}
            label={t(name)}
            min={min}
            max={max}
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ))}
        <MultiSelect
          label={t('queues')}
          description={t('queuesHint')}
          data={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={form.values.queueIds.map(String)}
          onChange={chosen => form.setFieldValue('queueIds', chosen.map(Number))}
          searchable
          clearable
        />
      </Stack>
      <DialogActions onClose={onClose}>
        <Button type="submit" loading={save.isPending}>
          {t('save')}
        </Button>
      </DialogActions>
    </form>
  )
}
