import { MAX_EVERY_DAYS, MAX_REPEATS } from '@balcao/contract/schedules.ts'
import { NumberInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type FormValues, isEveryDays } from './schedule-values.ts'
import { useScheduleText } from './schedules.text.ts'

/** How often a series is sent, and until when. */
export function SeriesFields({ form }: { form: UseFormReturnType<FormValues> }) {
  const t = useScheduleText()
  return (
    <>
      {isEveryDays(form.getValues().typeSchedule) && (
        <NumberInput
          label={t('everyDays')}
          min={1}
          max={MAX_EVERY_DAYS}
          allowDecimal={false}
          {...form.getInputProps('everyDays')}
        />
      )}
      <NumberInput
        label={t('repeats')}
        description={t('repeatsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={0}
        max={MAX_REPEATS}
        allowDecimal={false}
        {...form.getInputProps('repeatCounter')}
      />
      <TextInput
        type="date"
        label={t('untilDay')}
        description={t('untilHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...form.getInputProps('untilDay')}
      />
    </>
  )
}
