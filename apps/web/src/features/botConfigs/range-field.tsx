import { RANGES } from '@balcao/contract/botConfigs.rules.ts'
import { Slider } from '@mantine/core'
import classes from './bot-config.module.css'
import type { PromptForm } from './botConfigs.form.ts'
import { useBotConfigText } from './botConfigs.text.ts'

/** A number within the range of the documents. */
export function RangeField({ form, name }: { form: PromptForm; name: keyof typeof RANGES }) {
  const t = useBotConfigText()
  const { step, ...range } = RANGES[name]
  const value = form.values[name]
  return (
    <div className={classes.range}>
      <span aria-hidden>
        {t(name)}: {value}
      </span>
      <Slider
        {...range}
        step={step}
        value={value}
        // a tenth has no exact number: what is shown is what is sent
        onChange={moved => form.setFieldValue(name, Math.round(moved * 10) / 10)}
        label={null}
        thumbLabel={t(name)}
      />
    </div>
  )
}
