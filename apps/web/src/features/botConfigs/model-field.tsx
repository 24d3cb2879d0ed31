import { SUGGESTED_MODELS } from '@balcao/contract/botConfigs.rules.ts'
import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { clock, shownTime } from '../../platform/time.ts'
import classes from './bot-config.module.css'
import { modelChoices } from './botConfigs.api.ts'
import type { PromptForm } from './botConfigs.form.ts'
import { useBotConfigText } from './botConfigs.text.ts'

/** A model by its name: one of the documents, one that the integration offers, or any other. */
export function ModelField({ form }: { form: PromptForm }) {
  const t = useBotConfigText()
  const { data } = useQuery(modelChoices)
  const models = data?.models ?? SUGGESTED_MODELS
  const ends = models.find(({ id }) => id === form.values.model)?.ends
  return (
    <div>
      <Autocomplete
        label={t('model')}
        description={t('modelHint')}
        data={models.map(({ id }) => id)}
        maxLength={100}
        {...form.getInputProps('model')}
      />
      {ends && (
        <p role="status" className={classes.warning}>
          {t(ends <= clock().format('YYYY-MM-DD') ? 'ended' : 'ends', { day: shownTime(ends).format('L') })}
        </p>
      )}
    </div>
  )
}
