import { VISIT_MINUTES, VisitInput } from '@balcao/contract/visits.ts'
import { NativeSelect, Text, Textarea } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { RowForm } from '../../ui/list-screen/row-form.tsx'
import { startVisit } from './visits.api.ts'
import { useVisitText } from './visits.text.ts'

interface Props {
  companyId: number
  name: string
  onClose(): void
}

/** Reason and duration of a visit; then the page reloads as the visit. */
export function VisitDialog({ companyId, name, onClose }: Props) {
  const t = useVisitText()
  const initialValues = { reason: '', minutes: String(VISIT_MINUTES[0]) }
  return (
    <Dialog title={t('title', { company: name })} onClose={onClose}>
      <Text size="sm" mb={12}>
        {t('startHint')}
      </Text>
      <RowForm<typeof initialValues>
        schema={VisitInput}
        initialValues={initialValues}
        confirm={t('start')}
        done={t('started')}
        save={values => startVisit(companyId, VisitInput.parse(values))}
        onClose={onClose}
      >
        {form => (
          <>
            <Textarea
              data-autofocus
              label={t('reason')}
              autosize
              minRows={2}
              maxRows={6}
              mb={12}
              {...form.getInputProps('reason')}
            />
            <NativeSelect
              label={t('minutes')}
              data={VISIT_MINUTES.map(count => ({ value: String(count), label: t('minutesOf', { count }) }))}
              {...form.getInputProps('minutes')}
            />
          </>
        )}
      </RowForm>
    </Dialog>
  )
}
