import { DEFAULT_GREETING } from '@balcao/contract/users.ts'
import { Slider, Switch } from '@mantine/core'
import { FieldSection } from '../../ui/fieldset.tsx'
import { GreetingField } from '../../ui/greeting-field.tsx'
import classes from './user-form.module.css'
import type { UserForm } from './users.form.ts'
import { useUserText } from './users.text.ts'

/** How a user attends: greeting, signature, what is shown and how loud it is. */
export function UserAttending({ form }: { form: UserForm }) {
  const t = useUserText()
  const flag = (name: 'enableGreeting' | 'signMessage' | 'showAllTickets') =>
    form.getInputProps(name, { type: 'checkbox' })
  return (
    <FieldSection legend={t('service')}>
      <GreetingField
        label={t('greeting')}
        description={t('greetingHint')}
        speaker={form.values.name.trim() || t('user')}
        usual={DEFAULT_GREETING}
        {...form.getInputProps('greetingMessage')}
      />
      <GreetingField
        label={t('farewell')}
        description={t('farewellHint')}
        speaker={form.values.name.trim() || t('user')}
        {...form.getInputProps('farewellMessage')}
      />
      <div className={classes.switches}>
        <Switch label={t('enableGreeting')} {...flag('enableGreeting')} />
        <Switch label={t('signMessage')} {...flag('signMessage')} />
        {form.values.profile === 'admin' && (
          <Switch label={t('showAllTickets')} {...flag('showAllTickets')} />
        )}
      </div>
      <div className={classes.volume}>
        <span aria-hidden>
          {t('volume')}: {form.values.volume}
        </span>
        <Slider
          value={form.values.volume}
          onChange={volume => form.setFieldValue('volume', volume)}
          min={0}
          max={100}
          label={null}
          thumbLabel={t('volume')}
          mt={8}
        />
      </div>
    </FieldSection>
  )
}
