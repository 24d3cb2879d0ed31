import { Button, FileButton, Input } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconUpload } from '@tabler/icons-react'
import { useId } from 'react'
import { checkFiles } from '../media/files.ts'
import type { FormValues } from './schedule-values.ts'
import classes from './schedules.module.css'
import { useScheduleText } from './schedules.text.ts'

const ENDINGS = '.png,.jpg,.jpeg,.pdf,.mp4,.mp3,.ogg'

/** The file of a schedule: the stored one, until another is chosen. */
export function ScheduleFile({ form }: { form: UseFormReturnType<FormValues> }) {
  const t = useScheduleText()
  const hint = useId()
  const { file, mediaName } = form.getValues()
  const name = file?.name ?? mediaName
  async function choose(chosen: File | null) {
    if (!chosen) return
    const isKnown = ENDINGS.split(',').some(ending => chosen.name.toLowerCase().endsWith(ending))
    const { taken } = isKnown ? await checkFiles([chosen], 0) : { taken: [] }
    if (taken.length === 0) return form.setFieldError('file', t('badFile', { name: chosen.name }))
    form.setFieldValue('file', chosen)
    form.clearFieldError('file')
  }
  return (
    <Input.Wrapper label={t('file')} labelElement="div" error={form.errors.file}>
      <div className={classes.file}>
        <FileButton onChange={chosen => void choose(chosen)} accept={ENDINGS}>
          {props => (
            <Button
              {...props}
              variant="default"
              aria-describedby={hint}
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {t(name ? 'otherFile' : 'chooseFile')}
            </Button>
          )}
        </FileButton>
        <span id={hint} className="one-line">
          {name || t('files')}
        </span>
      </div>
    </Input.Wrapper>
  )
}
